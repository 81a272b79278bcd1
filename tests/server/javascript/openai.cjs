// What a program sees that uses OpenAI's client: one JSON object on stdout.
const OpenAI = require("openai");

const messages = [{ role: "user", content: "hello world, what is a token?" }];
const parameters = {
  type: "object",
  properties: { city: { enum: ["Oslo", "Rome"] } },
  required: ["city"],
  additionalProperties: false,
};
const tool = { type: "function", function: { name: "weather", description: "The weather somewhere.", parameters } };

async function main() {
  const client = new OpenAI({ baseURL: process.argv[2], apiKey: "none", maxRetries: 0 });
  const asked = { model: "any", messages, temperature: 0, max_tokens: 16 };
  const whole = await client.chat.completions.create(asked);
  let streamed = "";
  for await (const chunk of await client.chat.completions.create({ ...asked, stream: true })) {
    streamed += chunk.choices[0].delta.content ?? "";
  }
  const called = await client.chat.completions.create({ model: "any", messages, tools: [tool], tool_choice: "required" });
  const response = await client.responses.create({
    model: "any",
    input: messages[0].content,
    temperature: 0,
    max_output_tokens: 16,
  });
  let refused = 0;
  await client.chat.completions.create({ model: "any", messages: [] }).catch((error) => (refused = error.status));
  console.log(
    JSON.stringify({
      whole: whole.choices[0].message.content,
      streamed,
      calls: called.choices[0].message.tool_calls.map((call) => ({
        name: call.function.name,
        arguments: JSON.parse(call.function.arguments),
      })),
      response: response.output_text,
      models: (await client.models.list()).data.map((model) => model.id),
      refused,
    }),
  );
}

main();
