<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AcceptanceOverlay</name>
    <message>
        <source>Time saved by guesses</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Click for details. Drag to move. Double-click to fold.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fold</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ActionBar</name>
    <message>
        <source>Message actions</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ApplicationPage</name>
    <message>
        <source>Show the live figures over the conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour the words by who guessed them</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Theme</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Text size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Language</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From the next start on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As the system</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Light</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Dark</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Small</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Normal</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Large</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A new language is used from the next start on.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>Attach text files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is a folder: choose the files in it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is larger than 2 MB.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is not text in UTF-8 or UTF-16.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>It could not be read.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AttachmentChips</name>
    <message>
        <source>Attachments</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Chat deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Markdown, for reading (*.md);;JSON, with everything in it (*.json)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exported chats (*.json *.md)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} imported</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Remove {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChoiceList</name>
    <message>
        <source>Remove from the list</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ColouringLegend</name>
    <message>
        <source>Guessed by the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed from the text or otherwise</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen by the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Meaning of the colours</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Solid underline: guessed by the draft. Dotted: guessed otherwise. None: chosen by the target.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach text files</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Send</source>
        <translation type="unfinished">Senden</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ContextWords</name>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Conversation so far</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attachments</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Room for the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nearly full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too long</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nearly full: a long answer will be cut off.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too long: shorten the message, or start a new chat.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{used} of {n_ctx} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{total} are used ({parts}), {room} are left for the answer.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>Conversations</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationMenu</name>
    <message>
        <source>Rename</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConversationPage</name>
    <message>
        <source>Stands before the conversation: how the model should answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>For example: Answer briefly, in plain words.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No conversation is open. Open one to set how its answers are written.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Deeds</name>
    <message>
        <source>Chat</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Export all chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trash…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>View</source>
        <translation type="unfinished">Ansicht</translation>
    </message>
    <message>
        <source>Speculation in this chat…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Delegate</name>
    <message>
        <source>In the title</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Title of the conversation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Desk</name>
    <message>
        <source>Try again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading {target}…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished">Neuer Chat</translation>
    </message>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You can write while the model is loading</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a model to begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hello, I am specchat’s demo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A tiny target and its tinier draft, not an assistant: I know specchat and little else. Ask me something and watch how many guesses are accepted. Then add a real model.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What is a draft model?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How do I pick a good pair?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does the draft change the answer?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>What shall it be?</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose a GGUF file that answers, and a smaller one of its family that guesses ahead.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reading the prompt, {n} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Undo</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{name} cannot be attached: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Attach text files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought for {s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Thought for {m} min {s} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer: {text}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DownButton</name>
    <message>
        <source>To the end</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EditingLine</name>
    <message>
        <source>Editing an earlier message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cancel editing (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>Time saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>per pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the next answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not drafting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No guesses yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guesses cost more than they save</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it is switched off</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no draft is chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the number of guesses is set to 0</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the target cannot take back tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a recurrent target cannot take back tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a recurrent draft cannot take back tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not drafting: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the text itself (n-gram)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft: {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no time saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{time} lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n}× as fast</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guesses accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} seconds saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} seconds lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} percent of {drafted} guesses accepted, {time}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been guessed in this conversation.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In this conversation drafting neither saved nor cost time.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In this conversation drafting cost {lost}: {took} instead of {plain}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>In this conversation drafting saved {saved} of {plain}: {n} times as fast.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drafting off: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no guesses made</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>context full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>length limit reached</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>exactness not checked</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation type="unfinished">In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next match</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished">Schließen</translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>FitBar</name>
    <message>
        <source>Memory</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Working out the memory…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Caches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Needs {needed} of {free} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Computer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{device}: needs {needed} of {free} free</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tight</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Show the list of chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Colour accepted tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the overlay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>More</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ListModel</name>
    <message>
        <source>Pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Today</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Older</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pinned</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the answer is being written</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Status</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Copy message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Branch into a new conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete message</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <source>Message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter sends the message, Shift+Enter starts a new line</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageMenu</name>
    <message>
        <source>Copy selection</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Open link</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show or hide the reasoning</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code block {n}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Close</source>
        <translation type="unfinished">Schließen</translation>
    </message>
</context>
<context>
    <name>PairButton</name>
    <message>
        <source>Choose a model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading {target}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>none</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Target: {target}. Draft: {draft}. Choose the models</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PairControl</name>
    <message>
        <source>n-gram</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PairOptions</name>
    <message>
        <source>GPU layers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Exact</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> of {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>f16 · full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>bf16 · full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q8_0 · half</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>q4_0 · quarter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same answer with and without a draft, to the last bit; a self-test says whether it holds.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Same answer with and without a draft, a little slower</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Context</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How much text the models can look at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The numbers kept for each token: smaller ones need less memory and are less exact.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cache</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>How many of the target&apos;s layers the graphics card computes.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PairPicker</name>
    <message>
        <source>Target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a GGUF file…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no model yet. Add a GGUF file of a model that answers, then a smaller one of the same family, which guesses ahead and makes it faster.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Loading may fail or be very slow. A smaller context, cache or model needs less memory.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Looking for drafts…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Add a GGUF file</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Choose the models</source>
        <translation type="unfinished">Modelle wählen</translation>
    </message>
</context>
<context>
    <name>Pointer</name>
    <message>
        <source>Copy code</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PresetBar</name>
    <message>
        <source>Save as…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete the preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Own settings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save a preset</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Its name</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Save</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Problem</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>Einzelheiten ausblenden</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Einzelheiten</translation>
    </message>
</context>
<context>
    <name>ReplyTable</name>
    <message>
        <source>Reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Per pass</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Saved</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guesses from</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All replies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>off: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RowModel</name>
    <message>
        <source>{name}, cannot be chosen: {reason}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RowWords</name>
    <message>
        <source>Automatic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now n-grams: no draft here fits this target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Now {name}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>N-grams</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeats what the text has said before; needs no model</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The target writes alone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SamplingForm</name>
    <message>
        <source>A new one for each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>0: always the likeliest token. Higher: more varied.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only this many of the likeliest tokens may be chosen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only the likeliest tokens that together reach this share.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Only tokens at least this likely, compared with the likeliest.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Above 1: what was said becomes less likely.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer stops there and can be continued.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The same seed gives the same answer to the same question.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed: a new one for each answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No limit</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> tokens</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Search in all conversations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Close</source>
        <translation type="unfinished">Schließen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished">Einstellungen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This conversation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Application</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Shortcuts</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Next chat</source>
        <translation>Nächster Chat</translation>
    </message>
    <message>
        <source>Previous chat</source>
        <translation>Voriger Chat</translation>
    </message>
    <message>
        <source>Search all chats</source>
        <translation>Alle Chats durchsuchen</translation>
    </message>
    <message>
        <source>Rename, in the list</source>
        <translation>Umbenennen, in der Liste</translation>
    </message>
    <message>
        <source>Delete, in the list</source>
        <translation>Löschen, in der Liste</translation>
    </message>
    <message>
        <source>Undo deleting</source>
        <translation>Löschen rückgängig machen</translation>
    </message>
    <message>
        <source>Export the chat</source>
        <translation>Chat exportieren</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>New line</source>
        <translation>Neue Zeile</translation>
    </message>
    <message>
        <source>Stop the answer, or close what is open</source>
        <translation>Antwort anhalten oder Offenes schließen</translation>
    </message>
    <message>
        <source>Edit the last message</source>
        <translation>Letzte Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>The same, in an empty field</source>
        <translation>Dasselbe, im leeren Feld</translation>
    </message>
    <message>
        <source>Regenerate the answer</source>
        <translation>Antwort neu erzeugen</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>Letzte Antwort kopieren</translation>
    </message>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Sidebar</source>
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>Overlay</translation>
    </message>
    <message>
        <source>Token colours</source>
        <translation>Token-Farben</translation>
    </message>
    <message>
        <source>Larger text</source>
        <translation>Größerer Text</translation>
    </message>
    <message>
        <source>Smaller text</source>
        <translation>Kleinerer Text</translation>
    </message>
    <message>
        <source>Normal text size</source>
        <translation>Normale Textgröße</translation>
    </message>
    <message>
        <source>Choose the models</source>
        <translation>Modelle wählen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>specchat</source>
        <translation>specchat</translation>
    </message>
</context>
<context>
    <name>ShortcutsDialog</name>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Sidebar</name>
    <message>
        <source>Sidebar</source>
        <translation type="unfinished">Seitenleiste</translation>
    </message>
    <message>
        <source>Hide the sidebar</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>New chat</source>
        <translation type="unfinished">Neuer Chat</translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Settings</source>
        <translation type="unfinished">Einstellungen</translation>
    </message>
    <message>
        <source>Your conversations will be listed here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SpeculationDetails</name>
    <message>
        <source>What guessing did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Position of the guess in the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The figures appear here after the first answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guess {n}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>all replies</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepted by position, {whose}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Accepted in each reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time saved by each reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Figures of each reply</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StepStrip</name>
    <message>
        <source>Each column is one pass of the target: accepted guesses, the target&apos;s own token as a cap, and in grey the guesses that did not hold. Striped guesses come from the text itself.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Switcher</name>
    <message>
        <source>Previous version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Next version</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Version {n} of {all}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Token</name>
    <message>
        <source>position {n} in the draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>probability {p} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Chosen by the target</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed by the draft, accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed from the text, accepted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Guessed by {source}, accepted</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <source>Trash</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete all for good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Deleted chats stay here for 30 days.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing here. Deleted chats stay for 30 days.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Add a GGUF file…</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>box</name>
    <message>
        <source>Set aside and begin anew</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quit</source>
        <translation type="unfinished">Beenden</translation>
    </message>
</context>
</TS>
