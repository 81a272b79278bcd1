// What a program sees that uses Anthropic's client: one JSON object on stdout.
const Anthropic = require("@anthropic-ai/sdk");

const messages = [{ role: "user", content: "hello world, what is a token?" }];
const input_schema = {
  type: "object",
  properties: { city: { enum: ["Oslo", "Rome"] } },
  required: ["city"],
  additionalProperties: false,
};
const tools = [{ name: "weather", description: "The weather somewhere.", input_schema }];

async function main() {
  const client = new Anthropic({ baseURL: process.argv[2], apiKey: "none", maxRetries: 0 });
  const asked = { model: "claude-any", messages, temperature: 0, max_tokens: 16 };
  const whole = await client.messages.create(asked);
  const stream = client.messages.stream(asked);
  let streamed = "";
  stream.on("text", (text) => (streamed += text));
  const last = await stream.finalMessage();
  const called = await client.messages.create({ ...asked, max_tokens: 200, tools, tool_choice: { type: "any" } });
  const counted = await client.messages.countTokens({ model: "claude-any", messages });
  let refused = 0;
  await client.messages.create({ ...asked, messages: [] }).catch((error) => (refused = error.status));
  console.log(
    JSON.stringify({
      whole: whole.content[0].text,
      streamed,
      stop: [whole.stop_reason, last.stop_reason],
      calls: called.content
        .filter((block) => block.type === "tool_use")
        .map((block) => ({ name: block.name, arguments: block.input })),
      counted: counted.input_tokens,
      refused,
    }),
  );
}

main();
