<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AcceptanceOverlay</name>
    <message>
        <source>Time saved by guesses</source>
        <translation>Durch Vorschläge gesparte Zeit</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Click for details. Drag to move. Double-click to fold.</source>
        <translation>Klick zeigt Einzelheiten, Ziehen verschiebt, Doppelklick klappt ein.</translation>
    </message>
    <message>
        <source>Unfold</source>
        <translation>Ausklappen</translation>
    </message>
    <message>
        <source>Fold</source>
        <translation>Einklappen</translation>
    </message>
</context>
<context>
    <name>ActionBar</name>
    <message>
        <source>Message actions</source>
        <translation>Aktionen für die Nachricht</translation>
    </message>
</context>
<context>
    <name>ApplicationPage</name>
    <message>
        <source>Show the live figures over the conversation</source>
        <translation>Anzeige mit laufenden Zahlen über dem Chat</translation>
    </message>
    <message>
        <source>Colour the words by who guessed them</source>
        <translation>Wörter danach färben, wer sie vorgeschlagen hat</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Erscheinungsbild</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Textgröße</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Sprache</translation>
    </message>
    <message>
        <source>From the next start on.</source>
        <translation>Gilt ab dem nächsten Start.</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Wie das System</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>Small</source>
        <translation>Klein</translation>
    </message>
    <message>
        <source>Normal</source>
        <translation>Normal</translation>
    </message>
    <message>
        <source>Large</source>
        <translation>Groß</translation>
    </message>
    <message>
        <source>A new language is used from the next start on.</source>
        <translation>Eine neue Sprache gilt ab dem nächsten Start.</translation>
    </message>
</context>
<context>
    <name>Asking</name>
    <message>
        <source>Only the last answer can be continued.</source>
        <translation>Nur die letzte Antwort lässt sich fortsetzen.</translation>
    </message>
    <message>
        <source>Branch from this one first.</source>
        <translation>Zuerst von dieser abzweigen.</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Kein Modell ist geladen.</translation>
    </message>
    <message>
        <source>Choose a pair first, or wait until it is loaded.</source>
        <translation>Zuerst ein Paar wählen oder warten, bis es geladen ist.</translation>
    </message>
</context>
<context>
    <name>Attaching</name>
    <message>
        <source>Attach text files</source>
        <translation>Textdateien anhängen</translation>
    </message>
    <message>
        <source>It is a folder: choose the files in it.</source>
        <translation>Das ist ein Ordner: die Dateien darin wählen.</translation>
    </message>
    <message>
        <source>It is larger than 2 MB.</source>
        <translation>Die Datei ist größer als 2 MB.</translation>
    </message>
    <message>
        <source>It is not text in UTF-8 or UTF-16.</source>
        <translation>Das ist kein Text in UTF-8 oder UTF-16.</translation>
    </message>
    <message>
        <source>It is empty.</source>
        <translation>Die Datei ist leer.</translation>
    </message>
    <message>
        <source>It could not be read.</source>
        <translation>Die Datei ließ sich nicht lesen.</translation>
    </message>
</context>
<context>
    <name>AttachmentChips</name>
    <message>
        <source>Attachments</source>
        <translation>Anhänge</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>Chat deleted</source>
        <translation>Chat gelöscht</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Markdown, for reading (*.md);;JSON, with everything in it (*.json)</source>
        <translation>Markdown, zum Lesen (*.md);;JSON, mit allem darin (*.json)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>Gespeichert als {name}</translation>
    </message>
    <message>
        <source>Exported chats (*.json *.md)</source>
        <translation>Exportierte Chats (*.json *.md)</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>{n} imported</source>
        <translation>{n} importiert</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
</context>
<context>
    <name>ChoiceList</name>
    <message>
        <source>Remove from the list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
</context>
<context>
    <name>ColouringLegend</name>
    <message>
        <source>Guess of the draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Other guess</source>
        <translation>Andere Quelle</translation>
    </message>
    <message>
        <source>Target’s own</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Meaning of the colours</source>
        <translation>Bedeutung der Farben</translation>
    </message>
    <message>
        <source>Solid underline: guessed by the draft. Dotted: guessed otherwise. None: chosen by the target.</source>
        <translation>Durchgezogen unterstrichen: vom Entwurf vorgeschlagen. Gepunktet: anders vorgeschlagen. Nicht unterstrichen: vom Ziel gewählt.</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach text files</source>
        <translation>Textdateien anhängen</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
</context>
<context>
    <name>ContextWords</name>
    <message>
        <source>System prompt</source>
        <translation>Systemanweisung</translation>
    </message>
    <message>
        <source>Conversation so far</source>
        <translation>Chat bisher</translation>
    </message>
    <message>
        <source>Attachments</source>
        <translation>Anhänge</translation>
    </message>
    <message>
        <source>This message</source>
        <translation>Diese Nachricht</translation>
    </message>
    <message>
        <source>Room for the answer</source>
        <translation>Platz für die Antwort</translation>
    </message>
    <message>
        <source>Nearly full</source>
        <translation>Fast voll</translation>
    </message>
    <message>
        <source>Too long</source>
        <translation>Zu lang</translation>
    </message>
    <message>
        <source>Nearly full: a long answer will be cut off.</source>
        <translation>Fast voll: Eine lange Antwort wird abgeschnitten.</translation>
    </message>
    <message>
        <source>Too long: shorten the message, or start a new chat.</source>
        <translation>Zu lang: Nachricht kürzen oder neuen Chat beginnen.</translation>
    </message>
    <message>
        <source>{used} of {n_ctx} tokens</source>
        <translation>{used} von {n_ctx} Token</translation>
    </message>
    <message>
        <source>{total} are used ({parts}), {room} are left for the answer.</source>
        <translation>{total} sind belegt ({parts}), {room} bleiben für die Antwort.</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>Conversations</source>
        <translation>Chats</translation>
    </message>
</context>
<context>
    <name>ConversationMenu</name>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Nicht mehr anheften</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Exportieren…</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
</context>
<context>
    <name>ConversationPage</name>
    <message>
        <source>Stands before the conversation: how the model should answer.</source>
        <translation>Steht vor dem Chat und sagt dem Modell, wie es antworten soll.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemanweisung</translation>
    </message>
    <message>
        <source>For example: Answer briefly, in plain words.</source>
        <translation>Zum Beispiel: Antworte kurz und einfach.</translation>
    </message>
    <message>
        <source>No conversation is open. Open one to set how its answers are written.</source>
        <translation>Kein Chat ist offen. Zum Einstellen der Antworten einen Chat öffnen.</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
</context>
<context>
    <name>Deeds</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Export all chats…</source>
        <translation>Alle Chats exportieren…</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>Chats importieren…</translation>
    </message>
    <message>
        <source>Trash…</source>
        <translation>Papierkorb…</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Speculation in this chat…</source>
        <translation>Vorschläge in diesem Chat…</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Delete these chats for good?</source>
        <translation>Diese Chats endgültig löschen?</translation>
    </message>
</context>
<context>
    <name>Delegate</name>
    <message>
        <source>In the title</source>
        <translation>Im Titel</translation>
    </message>
    <message>
        <source>Title of the conversation</source>
        <translation>Titel des Chats</translation>
    </message>
</context>
<context>
    <name>Desk</name>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach…</translation>
    </message>
    <message>
        <source>Thoughts</source>
        <translation>Gedanken</translation>
    </message>
    <message>
        <source>Thought for {s} s</source>
        <translation>{s} s nachgedacht</translation>
    </message>
    <message>
        <source>Thought for {m} min {s} s</source>
        <translation>{m} min {s} s nachgedacht</translation>
    </message>
    <message>
        <source>…</source>
        <translation>…</translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation>Frage: {text}</translation>
    </message>
    <message>
        <source>Answer: {text}</source>
        <translation>Antwort: {text}</translation>
    </message>
</context>
<context>
    <name>DownButton</name>
    <message>
        <source>To the end</source>
        <translation>Zum Ende</translation>
    </message>
</context>
<context>
    <name>EditingLine</name>
    <message>
        <source>Editing an earlier message</source>
        <translation>Frühere Nachricht wird bearbeitet</translation>
    </message>
    <message>
        <source>Cancel editing (Esc)</source>
        <translation>Bearbeiten abbrechen (Esc)</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>Time saved</source>
        <translation>Gesparte Zeit</translation>
    </message>
    <message>
        <source>accepted</source>
        <translation>angenommen</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>per pass</source>
        <translation>je Lauf</translation>
    </message>
    <message>
        <source>Waiting for the next answer</source>
        <translation>Wartet auf die nächste Antwort</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Not drafting</source>
        <translation>Keine Vorschläge</translation>
    </message>
    <message>
        <source>No guesses yet</source>
        <translation>Noch keine Vorschläge</translation>
    </message>
    <message>
        <source>guesses cost more than they save</source>
        <translation>sie kosten mehr, als sie sparen</translation>
    </message>
    <message>
        <source>it is switched off</source>
        <translation>abgeschaltet</translation>
    </message>
    <message>
        <source>no draft is chosen</source>
        <translation>kein Entwurf gewählt</translation>
    </message>
    <message>
        <source>the number of guesses is set to 0</source>
        <translation>ihre Zahl steht auf 0</translation>
    </message>
    <message>
        <source>the target cannot take back tokens</source>
        <translation>das Ziel nimmt kein Token zurück</translation>
    </message>
    <message>
        <source>a recurrent target cannot take back tokens</source>
        <translation>ein rekurrentes Ziel nimmt kein Token zurück</translation>
    </message>
    <message>
        <source>a recurrent draft cannot take back tokens</source>
        <translation>ein rekurrenter Entwurf nimmt kein Token zurück</translation>
    </message>
    <message>
        <source>Not drafting: {reason}</source>
        <translation>Keine Vorschläge: {reason}</translation>
    </message>
    <message>
        <source>the text itself (n-gram)</source>
        <translation>der Text selbst (N-Gramm)</translation>
    </message>
    <message>
        <source>the draft</source>
        <translation>das Entwurfsmodell</translation>
    </message>
    <message>
        <source>Draft: {name}</source>
        <translation>Entwurf: {name}</translation>
    </message>
    <message>
        <source>no time saved</source>
        <translation>keine Zeit gespart</translation>
    </message>
    <message>
        <source>{time} saved</source>
        <translation>{time} gespart</translation>
    </message>
    <message>
        <source>{time} lost</source>
        <translation>{time} verloren</translation>
    </message>
    <message>
        <source>{n}× as fast</source>
        <translation>{n}× so schnell</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guesses accepted</source>
        <translation>{accepted} von {drafted} angenommen</translation>
    </message>
    <message>
        <source>{n} seconds saved</source>
        <translation>{n} Sekunden gespart</translation>
    </message>
    <message>
        <source>{n} seconds lost</source>
        <translation>{n} Sekunden verloren</translation>
    </message>
    <message>
        <source>{n} percent of {drafted} guesses accepted, {time}</source>
        <translation>{n} Prozent von {drafted} Vorschlägen angenommen, {time}</translation>
    </message>
    <message>
        <source>Nothing has been guessed in this conversation.</source>
        <translation>In diesem Chat gab es noch keine Vorschläge.</translation>
    </message>
    <message>
        <source>In this conversation drafting neither saved nor cost time.</source>
        <translation>In diesem Chat haben die Vorschläge Zeit weder gespart noch gekostet.</translation>
    </message>
    <message>
        <source>In this conversation drafting cost {lost}: {took} instead of {plain}.</source>
        <translation>In diesem Chat haben die Vorschläge {lost} gekostet: {took} statt {plain}.</translation>
    </message>
    <message>
        <source>In this conversation drafting saved {saved} of {plain}: {n} times as fast.</source>
        <translation>In diesem Chat haben die Vorschläge {saved} von {plain} gespart: {n}-mal so schnell.</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation>{n} Token/s</translation>
    </message>
    <message>
        <source>{n} accepted</source>
        <translation>{n} angenommen</translation>
    </message>
    <message>
        <source>drafting off: {reason}</source>
        <translation>Vorschläge aus: {reason}</translation>
    </message>
    <message>
        <source>no guesses made</source>
        <translation>keine Vorschläge</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>context full</source>
        <translation>Kontext voll</translation>
    </message>
    <message>
        <source>length limit reached</source>
        <translation>Höchstlänge erreicht</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>exakt</translation>
    </message>
    <message>
        <source>not exact</source>
        <translation>nicht exakt</translation>
    </message>
    <message>
        <source>exactness not checked</source>
        <translation>Exaktheit nicht geprüft</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Previous match</source>
        <translation>Voriger Treffer</translation>
    </message>
    <message>
        <source>Next match</source>
        <translation>Nächster Treffer</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation>{n} gefunden</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
</context>
<context>
    <name>FitBar</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Working out the memory…</source>
        <translation>Speicherbedarf wird berechnet…</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Caches</source>
        <translation>Caches</translation>
    </message>
    <message>
        <source>Computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>Needs {needed} of {free} free</source>
        <translation>Braucht {needed}, frei sind {free}</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>Rechner</translation>
    </message>
    <message>
        <source>{device}: needs {needed} of {free} free</source>
        <translation>{device}: braucht {needed}, frei sind {free}</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>Passt</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>Knapp</translation>
    </message>
    <message>
        <source>Does not fit</source>
        <translation>Passt nicht</translation>
    </message>
</context>
<context>
    <name>Guidance</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Loading {target}… Press Esc to stop.</source>
        <translation>{target} wird geladen… Esc bricht ab.</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>You can write while the model is loading</source>
        <translation>Schreiben geht schon, das Modell lädt noch</translation>
    </message>
    <message>
        <source>Choose a model to begin</source>
        <translation>Zuerst ein Modell wählen</translation>
    </message>
    <message>
        <source>Write below and press Enter. The key ? lists all shortcuts.</source>
        <translation>Unten schreiben und Enter drücken. Die Taste ? zeigt alle Kürzel.</translation>
    </message>
    <message>
        <source>Choose a GGUF file that answers, and a smaller one of its family that guesses ahead.</source>
        <translation>Eine GGUF-Datei wählen, die antwortet, und eine kleinere derselben Familie, die Vorschläge macht.</translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>Hello, I am specchat’s demo</source>
        <translation>Hallo, ich bin die specchat-Demo</translation>
    </message>
    <message>
        <source>A tiny target and its tinier draft, not an assistant: I know specchat and little else. Ask me something and watch how many guesses are accepted. Then add a real model.</source>
        <translation>Ein winziges Ziel mit noch kleinerem Entwurf, kein Assistent: Ich kenne specchat, sonst wenig, und nur Englisch. Etwas fragen und zusehen, wie viele Vorschläge angenommen werden. Danach ein richtiges Modell hinzufügen.</translation>
    </message>
    <message>
        <source>What is a draft model?</source>
        <translation>What is a draft model?</translation>
    </message>
    <message>
        <source>How do I pick a good pair?</source>
        <translation>How do I pick a good pair?</translation>
    </message>
    <message>
        <source>Does the draft change the answer?</source>
        <translation>Does the draft change the answer?</translation>
    </message>
    <message>
        <source>Reading the prompt, {n} %</source>
        <translation>Eingabe wird gelesen, {n} %</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Antwort wird geschrieben…</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Show the list of chats</source>
        <translation>Chatliste einblenden</translation>
    </message>
    <message>
        <source>Colour accepted tokens</source>
        <translation>Angenommene Token färben</translation>
    </message>
    <message>
        <source>Show the overlay</source>
        <translation>Anzeige einblenden</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>Link</name>
    <message>
        <source>This link cannot be opened.</source>
        <translation>Dieser Link lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Open this link in the browser?</source>
        <translation>Diesen Link im Browser öffnen?</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>ListModel</name>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Heute</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Gestern</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>Letzte 7 Tage</translation>
    </message>
    <message>
        <source>Older</source>
        <translation>Älter</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>the answer is being written</source>
        <translation>Antwort wird geschrieben</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Edit and send again</source>
        <translation>Bearbeiten und neu senden</translation>
    </message>
    <message>
        <source>Answer again</source>
        <translation>Antwort neu erzeugen</translation>
    </message>
    <message>
        <source>Continue the answer</source>
        <translation>Antwort fortsetzen</translation>
    </message>
    <message>
        <source>Branch into a new conversation</source>
        <translation>In neuen Chat abzweigen</translation>
    </message>
    <message>
        <source>Delete message</source>
        <translation>Nachricht löschen</translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Enter sends the message, Shift+Enter starts a new line</source>
        <translation>Enter sendet die Nachricht, Umschalt+Enter beginnt eine neue Zeile</translation>
    </message>
</context>
<context>
    <name>MessageMenu</name>
    <message>
        <source>Copy selection</source>
        <translation>Auswahl kopieren</translation>
    </message>
    <message>
        <source>Open link</source>
        <translation>Link öffnen</translation>
    </message>
    <message>
        <source>Copy link address</source>
        <translation>Link-Adresse kopieren</translation>
    </message>
    <message>
        <source>Previous version</source>
        <translation>Vorige Version</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Version</translation>
    </message>
    <message>
        <source>Show or hide the reasoning</source>
        <translation>Gedanken ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
    <message>
        <source>Code block {n}</source>
        <translation>Codeblock {n}</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Choose a larger context with the models, or shorten the message.</source>
        <translation>Bei den Modellen einen größeren Kontext wählen oder die Nachricht kürzen.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Message deleted</source>
        <translation>Nachricht gelöscht</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>{name} cannot be attached: {reason}</source>
        <translation>{name} lässt sich nicht anhängen. {reason}</translation>
    </message>
    <message>
        <source>Attach text files.</source>
        <translation>Textdateien anhängen.</translation>
    </message>
</context>
<context>
    <name>OpenChat</name>
    <message>
        <source>This chat is in the trash.</source>
        <translation>Dieser Chat liegt im Papierkorb.</translation>
    </message>
    <message>
        <source>Restore it from there first.</source>
        <translation>Zuerst von dort wiederherstellen.</translation>
    </message>
    <message>
        <source>No chat is open.</source>
        <translation>Kein Chat ist offen.</translation>
    </message>
    <message>
        <source>Choose one, or begin a new one.</source>
        <translation>Einen wählen oder einen neuen beginnen.</translation>
    </message>
    <message>
        <source>An answer is being written here.</source>
        <translation>Hier wird gerade eine Antwort geschrieben.</translation>
    </message>
    <message>
        <source>Wait for it, or stop it first.</source>
        <translation>Auf sie warten oder sie zuerst anhalten.</translation>
    </message>
</context>
<context>
    <name>PairButton</name>
    <message>
        <source>Choose a model</source>
        <translation>Modell wählen</translation>
    </message>
    <message>
        <source>Loading {target}</source>
        <translation>Lädt {target}</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>Target: {target}. Draft: {draft}. Choose the models</source>
        <translation>Ziel: {target}. Entwurf: {draft}. Modelle wählen</translation>
    </message>
</context>
<context>
    <name>PairControl</name>
    <message>
        <source>n-gram</source>
        <translation>N-Gramm</translation>
    </message>
</context>
<context>
    <name>PairOptions</name>
    <message>
        <source>GPU layers</source>
        <translation>Auf der GPU</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Exakt</translation>
    </message>
    <message>
        <source> of {n}</source>
        <translation> von {n}</translation>
    </message>
    <message>
        <source>f16 · full</source>
        <translation>f16 · voll</translation>
    </message>
    <message>
        <source>bf16 · full</source>
        <translation>bf16 · voll</translation>
    </message>
    <message>
        <source>q8_0 · half</source>
        <translation>q8_0 · halb</translation>
    </message>
    <message>
        <source>q4_0 · quarter</source>
        <translation>q4_0 · viertel</translation>
    </message>
    <message>
        <source>The same answer with and without a draft, to the last bit; a self-test says whether it holds.</source>
        <translation>Dieselbe Antwort mit und ohne Entwurf, bis aufs letzte Bit; ein Selbsttest sagt, ob das gilt.</translation>
    </message>
    <message>
        <source>Same answer with and without a draft, a little slower</source>
        <translation>Antwort genau wie ohne Entwurf, etwas langsamer</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>How much text the models can look at.</source>
        <translation>Wie viel Text die Modelle überblicken.</translation>
    </message>
    <message>
        <source>The numbers kept for each token: smaller ones need less memory and are less exact.</source>
        <translation>Die Zahlen, die zu jedem Token aufgehoben werden: Kleinere brauchen weniger Speicher und sind ungenauer.</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Cache</translation>
    </message>
    <message>
        <source>How many of the target&apos;s layers the graphics card computes.</source>
        <translation>Wie viele Schichten des Zielmodells die Grafikkarte rechnet.</translation>
    </message>
</context>
<context>
    <name>PairPicker</name>
    <message>
        <source>Target</source>
        <translation>Zielmodell</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>Add a GGUF file…</source>
        <translation>GGUF-Datei hinzufügen…</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>There is no model yet. Add a GGUF file of a model that answers, then a smaller one of the same family, which guesses ahead and makes it faster.</source>
        <translation>Noch ist kein Modell da. Die GGUF-Datei eines Modells hinzufügen, das antwortet, dann eine kleinere derselben Familie: Sie macht Vorschläge, damit es schneller geht.</translation>
    </message>
    <message>
        <source>Loading may fail or be very slow. A smaller context, cache or model needs less memory.</source>
        <translation>Das Laden kann scheitern oder sehr lange dauern. Weniger Speicher braucht ein kleinerer Kontext, ein kleinerer Cache oder ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>Looking for drafts…</source>
        <translation>Entwurfsmodelle werden gesucht…</translation>
    </message>
    <message>
        <source>Add a GGUF file</source>
        <translation>GGUF-Datei hinzufügen</translation>
    </message>
    <message>
        <source>Models (*.gguf)</source>
        <translation>Modelle (*.gguf)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Choose the models</source>
        <translation>Modelle wählen</translation>
    </message>
</context>
<context>
    <name>Pointer</name>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>PresetBar</name>
    <message>
        <source>Save as…</source>
        <translation>Speichern als…</translation>
    </message>
    <message>
        <source>Delete the preset</source>
        <translation>Vorlage löschen</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Own settings</source>
        <translation>Eigene Einstellungen</translation>
    </message>
    <message>
        <source>Balanced</source>
        <translation>Ausgewogen</translation>
    </message>
    <message>
        <source>Precise</source>
        <translation>Genau</translation>
    </message>
    <message>
        <source>Creative</source>
        <translation>Kreativ</translation>
    </message>
    <message>
        <source>Save a preset</source>
        <translation>Vorlage speichern</translation>
    </message>
    <message>
        <source>Its name</source>
        <translation>Name der Vorlage</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
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
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Annahme</translation>
    </message>
    <message>
        <source>Per pass</source>
        <translation>Je Lauf</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespart</translation>
    </message>
    <message>
        <source>Guesses from</source>
        <translation>Vorschläge von</translation>
    </message>
    <message>
        <source>Drafting</source>
        <translation>Vorschläge</translation>
    </message>
    <message>
        <source>All replies</source>
        <translation>Alle Antworten</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off: {reason}</source>
        <translation>aus: {reason}</translation>
    </message>
</context>
<context>
    <name>RowModel</name>
    <message>
        <source>{name}, cannot be chosen: {reason}</source>
        <translation>{name}, nicht wählbar: {reason}</translation>
    </message>
</context>
<context>
    <name>RowWords</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Now n-grams: no draft here fits this target</source>
        <translation>Derzeit N-Gramme: Kein Entwurf hier passt zu diesem Ziel</translation>
    </message>
    <message>
        <source>Now {name}</source>
        <translation>Derzeit {name}</translation>
    </message>
    <message>
        <source>N-grams</source>
        <translation>N-Gramme</translation>
    </message>
    <message>
        <source>Repeats what the text has said before; needs no model</source>
        <translation>Wiederholt, was schon im Text stand; braucht kein Modell</translation>
    </message>
    <message>
        <source>No draft</source>
        <translation>Kein Entwurf</translation>
    </message>
    <message>
        <source>The target writes alone</source>
        <translation>Das Ziel schreibt allein</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
</context>
<context>
    <name>SamplingForm</name>
    <message>
        <source>A new one for each answer</source>
        <translation>Für jede Antwort ein neuer</translation>
    </message>
    <message>
        <source>0: always the likeliest token. Higher: more varied.</source>
        <translation>0: immer das wahrscheinlichste Token. Höher: abwechslungsreicher.</translation>
    </message>
    <message>
        <source>Only this many of the likeliest tokens may be chosen.</source>
        <translation>Nur so viele der wahrscheinlichsten Token stehen zur Wahl.</translation>
    </message>
    <message>
        <source>Only the likeliest tokens that together reach this share.</source>
        <translation>Nur die wahrscheinlichsten Token, die zusammen diesen Anteil erreichen.</translation>
    </message>
    <message>
        <source>Only tokens at least this likely, compared with the likeliest.</source>
        <translation>Nur Token, die mindestens so wahrscheinlich sind, gemessen am wahrscheinlichsten.</translation>
    </message>
    <message>
        <source>Above 1: what was said becomes less likely.</source>
        <translation>Über 1: Was schon gesagt ist, wird unwahrscheinlicher.</translation>
    </message>
    <message>
        <source>The answer stops there and can be continued.</source>
        <translation>Dort endet die Antwort; sie lässt sich fortsetzen.</translation>
    </message>
    <message>
        <source>The same seed gives the same answer to the same question.</source>
        <translation>Derselbe Startwert gibt auf dieselbe Frage dieselbe Antwort.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Repeat penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
    <message>
        <source>Longest answer</source>
        <translation>Längste Antwort</translation>
    </message>
    <message>
        <source>Seed: a new one for each answer</source>
        <translation>Startwert: für jede Antwort ein neuer</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Startwert</translation>
    </message>
    <message>
        <source>All</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Keine Grenze</translation>
    </message>
    <message>
        <source> tokens</source>
        <translation> Token</translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Search in all conversations</source>
        <translation>Alle Chats durchsuchen</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Clear the search</source>
        <translation>Suche leeren</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>This conversation</source>
        <translation>Dieser Chat</translation>
    </message>
    <message>
        <source>Application</source>
        <translation>Programm</translation>
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
        <translation>Anzeige</translation>
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
        <translation>Seitenleiste</translation>
    </message>
    <message>
        <source>Hide the sidebar</source>
        <translation>Seitenleiste ausblenden</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>{n} found</source>
        <translation>{n} gefunden</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Your conversations will be listed here.</source>
        <translation>Hier erscheinen die Chats.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
</context>
<context>
    <name>SpeculationDetails</name>
    <message>
        <source>What guessing did</source>
        <translation>Bilanz der Vorschläge</translation>
    </message>
    <message>
        <source>Position of the guess in the draft</source>
        <translation>Stelle des Vorschlags im Entwurf</translation>
    </message>
    <message>
        <source>Reply</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>The figures appear here after the first answer.</source>
        <translation>Die Zahlen erscheinen hier nach der ersten Antwort.</translation>
    </message>
    <message>
        <source>Guess {n}</source>
        <translation>Vorschlag {n}</translation>
    </message>
    <message>
        <source>all replies</source>
        <translation>alle Antworten</translation>
    </message>
    <message>
        <source>Accepted by position, {whose}</source>
        <translation>Angenommen nach Stelle, {whose}</translation>
    </message>
    <message>
        <source>Accepted in each reply</source>
        <translation>Angenommen je Antwort</translation>
    </message>
    <message>
        <source>Time saved by each reply</source>
        <translation>Gesparte Zeit je Antwort</translation>
    </message>
    <message>
        <source>Figures of each reply</source>
        <translation>Zahlen jeder Antwort</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>Set aside and begin anew</source>
        <translation>Beiseitelegen und neu beginnen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
</context>
<context>
    <name>StepStrip</name>
    <message>
        <source>Each column is one pass of the target: accepted guesses, the target&apos;s own token as a cap, and in grey the guesses that did not hold. Striped guesses come from the text itself.</source>
        <translation>Jede Säule ist ein Durchlauf des Ziels: angenommene Vorschläge, obenauf das eigene Token des Ziels und in Grau die verworfenen Vorschläge. Gestreifte Vorschläge stammen aus dem Text selbst.</translation>
    </message>
</context>
<context>
    <name>Switcher</name>
    <message>
        <source>Previous version</source>
        <translation>Vorige Version</translation>
    </message>
    <message>
        <source>Next version</source>
        <translation>Nächste Version</translation>
    </message>
    <message>
        <source>Version {n} of {all}</source>
        <translation>Version {n} von {all}</translation>
    </message>
</context>
<context>
    <name>Token</name>
    <message>
        <source>position {n} in the draft</source>
        <translation>Stelle {n} im Entwurf</translation>
    </message>
    <message>
        <source>probability {p} %</source>
        <translation>Wahrscheinlichkeit {p} %</translation>
    </message>
    <message>
        <source>Chosen by the target</source>
        <translation>Vom Ziel gewählt</translation>
    </message>
    <message>
        <source>Guessed by the draft, accepted</source>
        <translation>Vom Entwurf vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed from the text, accepted</source>
        <translation>Aus dem Text vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed by {source}, accepted</source>
        <translation>Von {source} vorgeschlagen, angenommen</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Conversation</source>
        <translation>Chat</translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Deleted chats</source>
        <translation>Gelöschte Chats</translation>
    </message>
    <message>
        <source>Delete all for good</source>
        <translation>Alle endgültig löschen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Deleted chats stay here for 30 days.</source>
        <translation>Gelöschte Chats bleiben 30 Tage hier.</translation>
    </message>
    <message>
        <source>Nothing here. Deleted chats stay for 30 days.</source>
        <translation>Nichts hier. Gelöschte Chats bleiben 30 Tage.</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Add a GGUF file…</source>
        <translation>GGUF-Datei hinzufügen…</translation>
    </message>
</context>
</TS>
