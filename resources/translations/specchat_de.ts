<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>AboutController</name>
    <message>
        <source>Couldn&apos;t open a file manager. The logs are in {folder}.</source>
        <translation>Der Dateimanager ließ sich nicht öffnen. Die Protokolle liegen in {folder}.</translation>
    </message>
</context>
<context>
    <name>AboutDialog</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>About specchat</source>
        <translation>Über specchat</translation>
    </message>
    <message>
        <source>Licenses</source>
        <translation>Lizenzen</translation>
    </message>
</context>
<context>
    <name>ActionBar</name>
    <message>
        <source>Message actions</source>
        <translation>Aktionen für die Nachricht</translation>
    </message>
    <message>
        <source>More actions</source>
        <translation>Weitere Aktionen</translation>
    </message>
</context>
<context>
    <name>AddEngineDialog</name>
    <message>
        <source>Add engine</source>
        <translation>Engine hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>There is already an engine called {name}.</source>
        <translation>Es gibt schon eine Engine namens {name}.</translation>
    </message>
    <message>
        <source>Add an engine</source>
        <translation>Engine hinzufügen</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>API key (optional)</source>
        <translation>API-Schlüssel (optional)</translation>
    </message>
    <message>
        <source>The key is stored in the system&apos;s keyring, never in a file.</source>
        <translation>Der Schlüssel wird im Schlüsselbund des Systems abgelegt, nie in einer Datei.</translation>
    </message>
</context>
<context>
    <name>AddMachineDialog</name>
    <message>
        <source>Add machine</source>
        <translation>Computer hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Add a machine</source>
        <translation>Computer hinzufügen</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Start ggml-rpc-server there first (see Help &gt; Other machines).</source>
        <translation>Starten Sie dort zuerst ggml-rpc-server (siehe Hilfe &gt; Andere Computer).</translation>
    </message>
</context>
<context>
    <name>AddModelDialog</name>
    <message>
        <source>Add a GGUF file</source>
        <translation>GGUF-Datei hinzufügen</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors)</source>
        <translation>Modelle (*.gguf *.safetensors)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
</context>
<context>
    <name>AddPairDialog</name>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Add pair</source>
        <translation>Paar hinzufügen</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>{reference} is not a model. Enter a model such as {example}, or the path to a GGUF file.</source>
        <translation>{reference} ist kein Modell. Geben Sie ein Modell wie {example} oder den Pfad einer GGUF-Datei ein.</translation>
    </message>
    <message>
        <source>Target and draft are the same model. Choose a different draft.</source>
        <translation>Ziel und Entwurf sind dasselbe Modell. Wählen Sie einen anderen Entwurf.</translation>
    </message>
    <message>
        <source>Add a pair</source>
        <translation>Paar hinzufügen</translation>
    </message>
    <message>
        <source>specchat reads the headers of both files to check whether the draft works with the target.</source>
        <translation>specchat liest die Header beider Dateien und prüft, ob der Entwurf zum Ziel passt.</translation>
    </message>
</context>
<context>
    <name>AnswerColumn</name>
    <message>
        <source>{side}: pair</source>
        <translation>{side}: Paar</translation>
    </message>
    <message>
        <source>Copy answer</source>
        <translation>Antwort kopieren</translation>
    </message>
    <message>
        <source>Keep as chat</source>
        <translation>Als Chat behalten</translation>
    </message>
    <message>
        <source>Answered by {pair}</source>
        <translation>Antwort von {pair}</translation>
    </message>
</context>
<context>
    <name>AnswerEditButtons</name>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Save and continue</source>
        <translation>Speichern und fortsetzen</translation>
    </message>
</context>
<context>
    <name>ApplicationPage</name>
    <message>
        <source>Live stats overlay</source>
        <translation>Overlay mit Live-Statistik</translation>
    </message>
    <message>
        <source>Highlight draft tokens</source>
        <translation>Vorgeschlagene Token hervorheben</translation>
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
        <source>System default</source>
        <translation>Systemstandard</translation>
    </message>
    <message>
        <source>Takes effect the next time specchat starts.</source>
        <translation>Gilt ab dem nächsten Start von specchat.</translation>
    </message>
    <message>
        <source>Unload idle models</source>
        <translation>Unbenutzte Modelle entladen</translation>
    </message>
    <message>
        <source>Search documents by meaning</source>
        <translation>Dokumente nach Bedeutung durchsuchen</translation>
    </message>
    <message>
        <source>Finds passages in other words, too. Needs a model such as nomic-embed-text.</source>
        <translation>Findet auch anders formulierte Textstellen. Braucht ein Modell wie nomic-embed-text.</translation>
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
        <source>Never</source>
        <translation>Nie</translation>
    </message>
    <message>
        <source>After 5 minutes</source>
        <translation>Nach 5 Minuten</translation>
    </message>
    <message>
        <source>After 15 minutes</source>
        <translation>Nach 15 Minuten</translation>
    </message>
    <message>
        <source>After 1 hour</source>
        <translation>Nach 1 Stunde</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Unloading frees memory. Your next message reloads the models.</source>
        <translation>Entladen gibt Speicher frei. Die nächste Nachricht lädt die Modelle wieder.</translation>
    </message>
</context>
<context>
    <name>AttachButton</name>
    <message>
        <source>Folder with code…</source>
        <translation>Ordner mit Code…</translation>
    </message>
    <message>
        <source>Pictures, recordings or files…</source>
        <translation>Bilder, Aufnahmen oder Dateien…</translation>
    </message>
    <message>
        <source>Recordings or files…</source>
        <translation>Aufnahmen oder Dateien…</translation>
    </message>
    <message>
        <source>Pictures or files…</source>
        <translation>Bilder oder Dateien…</translation>
    </message>
    <message>
        <source>Files…</source>
        <translation>Dateien…</translation>
    </message>
</context>
<context>
    <name>AttachmentChip</name>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} entfernen</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>1 token</source>
        <translation>1 Token</translation>
    </message>
    <message>
        <source>about 1 token</source>
        <translation>etwa 1 Token</translation>
    </message>
    <message>
        <source>about {n} tokens</source>
        <translation>etwa {n} Token</translation>
    </message>
    <message>
        <source>searched</source>
        <translation>durchsucht</translation>
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
    <name>AttachmentLoader</name>
    <message>
        <source>This is {kind}. {hint}</source>
        <translation>Das ist {kind}. {hint}</translation>
    </message>
    <message>
        <source>This is a folder. Choose the files inside it.</source>
        <translation>Das ist ein Ordner. Wählen Sie die Dateien darin.</translation>
    </message>
    <message>
        <source>Attach files</source>
        <translation>Dateien anhängen</translation>
    </message>
    <message>
        <source>Attach pictures, recordings or files</source>
        <translation>Bilder, Aufnahmen oder Dateien anhängen</translation>
    </message>
    <message>
        <source>Attach recordings or files</source>
        <translation>Aufnahmen oder Dateien anhängen</translation>
    </message>
    <message>
        <source>Attach pictures or files</source>
        <translation>Bilder oder Dateien anhängen</translation>
    </message>
    <message>
        <source>Attach a folder</source>
        <translation>Ordner anhängen</translation>
    </message>
    <message>
        <source>Pasted picture</source>
        <translation>Eingefügtes Bild</translation>
    </message>
    <message>
        <source>The file is larger than 8 MB.</source>
        <translation>Die Datei ist größer als 8 MB.</translation>
    </message>
    <message>
        <source>The file is not UTF-8 or UTF-16 text.</source>
        <translation>Die Datei enthält keinen Text in UTF-8 oder UTF-16.</translation>
    </message>
    <message>
        <source>The file is empty.</source>
        <translation>Die Datei ist leer.</translation>
    </message>
    <message>
        <source>The file was not found.</source>
        <translation>Die Datei wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>You don&apos;t have permission to read the file.</source>
        <translation>Sie dürfen diese Datei nicht lesen.</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the file.</source>
        <translation>Die Datei konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>The picture is damaged, or its format is not supported.</source>
        <translation>Das Bild ist beschädigt, oder sein Format wird nicht unterstützt.</translation>
    </message>
    <message>
        <source>The picture is larger than {n} MB.</source>
        <translation>Das Bild ist größer als {n} MB.</translation>
    </message>
    <message>
        <source>The picture is more than 100 times as long as it is wide.</source>
        <translation>Das Bild ist mehr als 100-mal so lang wie breit.</translation>
    </message>
    <message>
        <source>The picture has more than {n} million pixels.</source>
        <translation>Das Bild hat mehr als {n} Millionen Pixel.</translation>
    </message>
    <message>
        <source>The recording is damaged, or it is neither WAV, MP3 nor FLAC.</source>
        <translation>Die Aufnahme ist beschädigt, oder sie ist weder WAV, MP3 noch FLAC.</translation>
    </message>
    <message>
        <source>The recording is larger than {n} MB.</source>
        <translation>Die Aufnahme ist größer als {n} MB.</translation>
    </message>
    <message>
        <source>The recording is longer than {n} minutes.</source>
        <translation>Die Aufnahme ist länger als {n} Minuten.</translation>
    </message>
    <message>
        <source>The recording has no sound in it.</source>
        <translation>Die Aufnahme enthält keinen Ton.</translation>
    </message>
    <message>
        <source>A message can have at most {n} pictures.</source>
        <translation>Eine Nachricht kann höchstens {n} Bilder enthalten.</translation>
    </message>
    <message>
        <source>A message can have at most {n} recordings.</source>
        <translation>Eine Nachricht kann höchstens {n} Aufnahmen enthalten.</translation>
    </message>
    <message>
        <source>Pictures and recordings of a message can have at most {n} MB together.</source>
        <translation>Bilder und Aufnahmen einer Nachricht dürfen zusammen höchstens {n} MB haben.</translation>
    </message>
</context>
<context>
    <name>BenchForm</name>
    <message>
        <source>Start</source>
        <translation>Starten</translation>
    </message>
    <message>
        <source>Choose at least one draft and one number of guesses.</source>
        <translation>Wählen Sie mindestens einen Entwurf und eine Anzahl von Vorschlägen.</translation>
    </message>
    <message>
        <source>Takes {time}</source>
        <translation>Dauert {time}</translation>
    </message>
    <message>
        <source>Exact</source>
        <translation>Exakt</translation>
    </message>
    <message>
        <source>Compare with other quantizations of the target</source>
        <translation>Mit anderen Quantisierungen des Ziels vergleichen</translation>
    </message>
    <message>
        <source>Add a model first.</source>
        <translation>Fügen Sie zuerst ein Modell hinzu.</translation>
    </message>
    <message>
        <source>Choose prompts.</source>
        <translation>Wählen Sie Prompts.</translation>
    </message>
    <message>
        <source>Measuring…</source>
        <translation>Messung läuft…</translation>
    </message>
    <message>
        <source>A drafter from an installed package</source>
        <translation>Vorschlagsart aus einem installierten Paket</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Temperatur</translation>
    </message>
    <message>
        <source>Tokens per answer</source>
        <translation>Token je Antwort</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>Runden</translation>
    </message>
    <message>
        <source>Guesses per pass: {n}</source>
        <translation>Vorschläge je Durchlauf: {n}</translation>
    </message>
    <message>
        <source>What to measure</source>
        <translation>Was gemessen wird</translation>
    </message>
    <message>
        <source>Each number is a maximum. The benchmark always measures plain decoding, too.</source>
        <translation>Jede Zahl ist ein Höchstwert. Der Leistungstest misst immer auch ohne Vorschläge.</translation>
    </message>
    <message>
        <source>Guesses per pass</source>
        <translation>Vorschläge je Durchlauf</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>Repeats text that followed the same words earlier. Needs no draft model.</source>
        <translation>Wiederholt Text, der früher auf dieselben Wörter folgte. Braucht kein Entwurfsmodell.</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Same answer with and without a draft. Slightly slower.</source>
        <translation>Dieselbe Antwort mit und ohne Entwurf. Etwas langsamer.</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Token</translation>
    </message>
</context>
<context>
    <name>Benchmark</name>
    <message>
        <source>Accepted by position</source>
        <translation>Angenommen nach Position</translation>
    </message>
    <message>
        <source>Accepted over the course of an answer</source>
        <translation>Angenommen im Verlauf einer Antwort</translation>
    </message>
    <message>
        <source>Position of the guess</source>
        <translation>Position des Vorschlags</translation>
    </message>
    <message>
        <source>Position in the answer</source>
        <translation>Position in der Antwort</translation>
    </message>
    <message>
        <source>{draft} for {target}</source>
        <translation>{draft} für {target}</translation>
    </message>
    <message>
        <source>Plain</source>
        <translation>Ohne Vorschläge</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>default settings</source>
        <translation>Standardeinstellungen</translation>
    </message>
    <message>
        <source>up to {n}</source>
        <translation>bis {n}</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>Leistungstest</translation>
    </message>
    <message>
        <source>{n} answers</source>
        <translation>{n} Antworten</translation>
    </message>
    <message>
        <source>1 answer</source>
        <translation>1 Antwort</translation>
    </message>
    <message>
        <source>up to {n} tokens each</source>
        <translation>je bis zu {n} Token</translation>
    </message>
    <message>
        <source>temperature {n}</source>
        <translation>Temperatur {n}</translation>
    </message>
    <message>
        <source>stopped early</source>
        <translation>vorzeitig beendet</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Token pro Sekunde</translation>
    </message>
    <message>
        <source>Max guesses per pass</source>
        <translation>Höchstzahl der Vorschläge je Durchlauf</translation>
    </message>
    <message>
        <source>Time per token</source>
        <translation>Zeit je Token</translation>
    </message>
    <message>
        <source>Milliseconds</source>
        <translation>Millisekunden</translation>
    </message>
    <message>
        <source>Drafting</source>
        <translation>Vorschlagen</translation>
    </message>
    <message>
        <source>Target passes</source>
        <translation>Durchläufe des Ziels</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>less than a minute</source>
        <translation>weniger als eine Minute</translation>
    </message>
    <message>
        <source>about a minute</source>
        <translation>etwa eine Minute</translation>
    </message>
    <message>
        <source>about {n} minutes</source>
        <translation>etwa {n} Minuten</translation>
    </message>
    <message>
        <source>about an hour</source>
        <translation>etwa eine Stunde</translation>
    </message>
    <message>
        <source>about {n} hours</source>
        <translation>etwa {n} Stunden</translation>
    </message>
    <message>
        <source>{low} to {high} minutes</source>
        <translation>{low} bis {high} Minuten</translation>
    </message>
    <message>
        <source>{low} to {high}</source>
        <translation>{low} bis {high}</translation>
    </message>
    <message>
        <source>Speed-up over plain decoding</source>
        <translation>Beschleunigung gegenüber dem Ziel allein</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>Everyday questions</source>
        <translation>Alltagsfragen</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>Code</translation>
    </message>
    <message>
        <source>Functions, tests, and queries from scratch</source>
        <translation>Neue Funktionen, Tests und Abfragen</translation>
    </message>
    <message>
        <source>Editing</source>
        <translation>Überarbeiten</translation>
    </message>
    <message>
        <source>Small changes to a given text or program</source>
        <translation>Kleine Änderungen an einem Text oder Programm</translation>
    </message>
    <message>
        <source>Quoting</source>
        <translation>Zitieren</translation>
    </message>
    <message>
        <source>Answers that quote a given text</source>
        <translation>Antworten, die aus einem Text zitieren</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>Zusammenfassung</translation>
    </message>
    <message>
        <source>A long text in a few sentences</source>
        <translation>Ein langer Text in wenigen Sätzen</translation>
    </message>
    <message>
        <source>Translation</source>
        <translation>Übersetzung</translation>
    </message>
    <message>
        <source>From one language into another</source>
        <translation>Von einer Sprache in eine andere</translation>
    </message>
    <message>
        <source>Math</source>
        <translation>Mathematik</translation>
    </message>
    <message>
        <source>Step-by-step calculations</source>
        <translation>Rechnungen Schritt für Schritt</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>Listen</translation>
    </message>
    <message>
        <source>Lists and tables</source>
        <translation>Listen und Tabellen</translation>
    </message>
    <message>
        <source>My prompts</source>
        <translation>Meine Prompts</translation>
    </message>
    <message>
        <source>My questions</source>
        <translation>Meine Fragen</translation>
    </message>
    <message>
        <source>If answers differ, rounding changed the choice between two tokens that were almost equally likely.</source>
        <translation>Wenn eine Antwort abweicht, hat Rundung die Wahl zwischen zwei fast gleich wahrscheinlichen Token geändert.</translation>
    </message>
    <message>
        <source>Turn on “Exact” to prevent that.</source>
        <translation>„Exakt“ verhindert das.</translation>
    </message>
    <message>
        <source>“Speed-up” compares answers to the same prompt in the same round. “Tokens/s” is the median of all answers. The two can differ.</source>
        <translation>„Beschleunigung“ vergleicht Antworten auf denselben Prompt in derselben Runde. „Token/s“ ist der Median aller Antworten. Beide Werte können voneinander abweichen.</translation>
    </message>
</context>
<context>
    <name>BenchmarkLauncher</name>
    <message>
        <source>A benchmark is running. Stop it?</source>
        <translation>Ein Leistungstest läuft. Beenden?</translation>
    </message>
    <message>
        <source>You can&apos;t load another pair during a benchmark. If you stop it, the results so far are kept.</source>
        <translation>Während eines Leistungstests kann kein anderes Paar geladen werden. Wenn Sie ihn beenden, bleiben die bisherigen Ergebnisse.</translation>
    </message>
    <message>
        <source>Stop benchmark and load</source>
        <translation>Leistungstest beenden und laden</translation>
    </message>
    <message>
        <source>Two pairs are being compared. Stop it?</source>
        <translation>Ein Vergleich läuft. Abbrechen?</translation>
    </message>
    <message>
        <source>You can&apos;t load another pair during the comparison.</source>
        <translation>Während des Vergleichs können Sie kein anderes Paar laden.</translation>
    </message>
    <message>
        <source>An early exit test is running. Stop it?</source>
        <translation>Early Exit wird gerade ausprobiert. Abbrechen?</translation>
    </message>
    <message>
        <source>You can&apos;t load another pair during the test.</source>
        <translation>Währenddessen kann kein anderes Paar geladen werden.</translation>
    </message>
    <message>
        <source>Stop and load</source>
        <translation>Abbrechen und laden</translation>
    </message>
    <message>
        <source>Keep measuring</source>
        <translation>Weiter messen</translation>
    </message>
    <message>
        <source>Benchmark finished</source>
        <translation>Der Leistungstest ist fertig</translation>
    </message>
    <message>
        <source>Benchmark stopped early</source>
        <translation>Der Leistungstest wurde vorzeitig beendet</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
</context>
<context>
    <name>BenchmarkPage</name>
    <message>
        <source>Benchmark</source>
        <translation>Leistungstest</translation>
    </message>
    <message>
        <source>What to measure</source>
        <translation>Was gemessen wird</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
</context>
<context>
    <name>CallCard</name>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Allow once</source>
        <translation>Einmal erlauben</translation>
    </message>
    <message>
        <source>Deny</source>
        <translation>Ablehnen</translation>
    </message>
    <message>
        <source>Always allow</source>
        <translation>Immer erlauben</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>Turn off tool</source>
        <translation>Werkzeug ausschalten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Allow “{server}” to run {tool}?</source>
        <translation>Darf „{server}“ {tool} ausführen?</translation>
    </message>
    <message>
        <source>“{server}” can&apos;t run {tool}</source>
        <translation>„{server}“ kann {tool} nicht ausführen</translation>
    </message>
    <message>
        <source>“{server}” is running {tool}…</source>
        <translation>„{server}“ führt {tool} aus…</translation>
    </message>
    <message>
        <source>Scroll to read all {n} lines.</source>
        <translation>Zum Lesen aller {n} Zeilen scrollen.</translation>
    </message>
</context>
<context>
    <name>CallController</name>
    <message>
        <source>The model keeps calling tools that are not available.</source>
        <translation>Das Modell ruft immer wieder Werkzeuge auf, die nicht verfügbar sind.</translation>
    </message>
    <message>
        <source>Check in the settings whether their server runs and they are turned on.</source>
        <translation>Prüfen Sie in den Einstellungen, ob deren Server läuft und sie eingeschaltet sind.</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>This tool is not available: its server is off, or doesn&apos;t have it any more.</source>
        <translation>Dieses Werkzeug ist nicht verfügbar: Sein Server ist aus oder hat es nicht mehr.</translation>
    </message>
</context>
<context>
    <name>CancelDownloadDialog</name>
    <message>
        <source>Cancel the download of {names}?</source>
        <translation>Download von {names} abbrechen?</translation>
    </message>
    <message>
        <source>{size} downloaded so far. If you keep it, the next download resumes from there.</source>
        <translation>{size} sind schon heruntergeladen. Wenn Sie sie behalten, setzt der nächste Download dort fort.</translation>
    </message>
    <message>
        <source>Keep partial download</source>
        <translation>Teildownload behalten</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Continue download</source>
        <translation>Weiter herunterladen</translation>
    </message>
</context>
<context>
    <name>CardNoteLine</name>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>ChatController</name>
    <message>
        <source>This chat is in the trash.</source>
        <translation>Dieser Chat liegt im Papierkorb.</translation>
    </message>
    <message>
        <source>Restore it first.</source>
        <translation>Stellen Sie ihn zuerst wieder her.</translation>
    </message>
    <message>
        <source>Can&apos;t show “{title}”: the chat database is damaged.</source>
        <translation>„{title}“ kann nicht angezeigt werden: Die Chat-Datenbank ist beschädigt.</translation>
    </message>
    <message>
        <source>No chat is open.</source>
        <translation>Es ist kein Chat geöffnet.</translation>
    </message>
    <message>
        <source>Choose a chat, or start a new one.</source>
        <translation>Wählen Sie einen Chat, oder beginnen Sie einen neuen.</translation>
    </message>
    <message>
        <source>The model is still answering in this chat.</source>
        <translation>Das Modell antwortet noch in diesem Chat.</translation>
    </message>
    <message>
        <source>Wait for the answer, or stop it first.</source>
        <translation>Warten Sie auf die Antwort, oder halten Sie sie zuerst an.</translation>
    </message>
    <message>
        <source>A tool is still running in this chat.</source>
        <translation>In diesem Chat läuft noch ein Werkzeug.</translation>
    </message>
    <message>
        <source>Wait, or stop it first.</source>
        <translation>Warten Sie, oder halten Sie es zuerst an.</translation>
    </message>
</context>
<context>
    <name>ChatFiles</name>
    <message>
        <source>This chat is empty</source>
        <translation>Dieser Chat ist leer</translation>
    </message>
    <message>
        <source>These chats are empty</source>
        <translation>Diese Chats sind leer</translation>
    </message>
    <message>
        <source>Markdown, for reading (*.md);;JSON, complete (*.json)</source>
        <translation>Markdown, zum Lesen (*.md);;JSON, vollständig (*.json)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
    <message>
        <source>Saved as {name} in {folder}</source>
        <translation>Gespeichert als {name} in {folder}</translation>
    </message>
    <message>
        <source>Saved as {name} in {folder}, but one of the chats is too large to be imported again.</source>
        <translation>Gespeichert als {name} in {folder}, aber einer der Chats ist zu groß für einen erneuten Import.</translation>
    </message>
    <message>
        <source>Exporting to {name}…</source>
        <translation>Export nach {name} läuft…</translation>
    </message>
    <message>
        <source>Exported to {name}, but parts of these chats couldn&apos;t be read: {chats}.</source>
        <translation>Nach {name} exportiert, aber Teile dieser Chats waren nicht lesbar: {chats}.</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Importing {name}…</source>
        <translation>{name} wird importiert…</translation>
    </message>
    <message>
        <source>{n} chats imported</source>
        <translation>{n} Chats importiert</translation>
    </message>
    <message>
        <source>1 chat imported</source>
        <translation>1 Chat importiert</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>Exported chats (*.json *.jsonl *.zip *.md)</source>
        <translation>Exportierte Chats (*.json *.jsonl *.zip *.md)</translation>
    </message>
    <message>
        <source>{imported}, {n} already existed</source>
        <translation>{imported}, {n} bereits vorhanden</translation>
    </message>
    <message>
        <source>A chat</source>
        <translation>Ein Chat</translation>
    </message>
    <message>
        <source>1 chat in {name} couldn&apos;t be imported.</source>
        <translation>1 Chat in {name} konnte nicht importiert werden.</translation>
    </message>
    <message>
        <source>{n} chats in {name} couldn&apos;t be imported.</source>
        <translation>{n} Chats in {name} konnten nicht importiert werden.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
</context>
<context>
    <name>ChatList</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
</context>
<context>
    <name>ChatListController</name>
    <message>
        <source>Another program deleted the open chat.</source>
        <translation>Ein anderes Programm hat den offenen Chat gelöscht.</translation>
    </message>
    <message>
        <source>You can restore it from the trash.</source>
        <translation>Sie können ihn aus dem Papierkorb wiederherstellen.</translation>
    </message>
</context>
<context>
    <name>ChoiceList</name>
    <message>
        <source>Remove from list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
</context>
<context>
    <name>ChoiceListModel</name>
    <message>
        <source>{name}, not available: {reason}</source>
        <translation>{name}, nicht verfügbar: {reason}</translation>
    </message>
</context>
<context>
    <name>ChoiceRowBuilder</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>Best draft for this target: {name}</source>
        <translation>Bester Entwurf für dieses Ziel: {name}</translation>
    </message>
    <message>
        <source>Guesses with the target&apos;s MTP layers</source>
        <translation>Vorschläge von den MTP-Schichten des Ziels</translation>
    </message>
    <message>
        <source>Vision</source>
        <translation>Vision</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>Audio</translation>
    </message>
    <message>
        <source>Copies from earlier text (n-grams). Needs no draft model.</source>
        <translation>Kopiert aus früherem Text (N-Gramme). Braucht kein Entwurfsmodell.</translation>
    </message>
    <message>
        <source>Earlier text</source>
        <translation>Früherer Text</translation>
    </message>
    <message>
        <source>Layers in the target&apos;s file that guess the next tokens</source>
        <translation>Schichten in der Datei des Ziels, die die nächsten Token vorschlagen</translation>
    </message>
    <message>
        <source>MTP</source>
        <translation>MTP</translation>
    </message>
    <message>
        <source>different vocabulary (guesses are translated)</source>
        <translation>anderes Vokabular (Vorschläge werden übersetzt)</translation>
    </message>
    <message>
        <source>No speculation</source>
        <translation>Keine Vorschläge</translation>
    </message>
    <message>
        <source>Guesses from earlier text: no draft on this computer is faster</source>
        <translation>Vorschläge aus früherem Text: Kein Entwurf auf diesem Computer ist schneller</translation>
    </message>
    <message>
        <source>The target writes every token</source>
        <translation>Das Ziel schreibt jedes Token</translation>
    </message>
    <message>
        <source>A drafter from an installed package</source>
        <translation>Vorschlagsart aus einem installierten Paket</translation>
    </message>
</context>
<context>
    <name>ColouringLegend</name>
    <message>
        <source>From {drafter}</source>
        <translation>Von {drafter}</translation>
    </message>
    <message>
        <source>From earlier text</source>
        <translation>Aus früherem Text</translation>
    </message>
    <message>
        <source>From the draft</source>
        <translation>Vom Entwurf</translation>
    </message>
    <message>
        <source>From the target</source>
        <translation>Vom Ziel</translation>
    </message>
    <message>
        <source>From you</source>
        <translation>Von Ihnen</translation>
    </message>
    <message>
        <source>earlier text</source>
        <translation>früherem Text</translation>
    </message>
    <message>
        <source>Solid underline: guessed by the draft. Dotted: guessed from {other}. No underline: chosen by the target. Gray: written by you.</source>
        <translation>Durchgezogen unterstrichen: Vorschlag vom Entwurf. Gepunktet: Vorschlag aus {other}. Nicht unterstrichen: vom Ziel gewählt. Grau: von Ihnen geschrieben.</translation>
    </message>
    <message>
        <source>Color legend</source>
        <translation>Farblegende</translation>
    </message>
</context>
<context>
    <name>Comparison</name>
    <message>
        <source>{target}, target only</source>
        <translation>{target}, nur Ziel</translation>
    </message>
    <message>
        <source>{target} + best draft</source>
        <translation>{target} + bester Entwurf</translation>
    </message>
    <message>
        <source>{n} accepted</source>
        <translation>{n} angenommen</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>wrote {n}× as fast</source>
        <translation>schrieb {n}× so schnell</translation>
    </message>
</context>
<context>
    <name>ComparisonController</name>
    <message>
        <source>Choose a pair for each side first.</source>
        <translation>Wählen Sie zuerst für jede Seite ein Paar.</translation>
    </message>
    <message>
        <source>Ask both</source>
        <translation>Beide fragen</translation>
    </message>
    <message>
        <source>A measurement is running.</source>
        <translation>Eine Messung läuft.</translation>
    </message>
    <message>
        <source>Try again when it has finished.</source>
        <translation>Versuchen Sie es erneut, wenn sie fertig ist.</translation>
    </message>
    <message>
        <source>Waiting…</source>
        <translation>Wartet…</translation>
    </message>
    <message>
        <source>Processing the prompt: {percent}</source>
        <translation>Verarbeitet den Prompt: {percent}</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>A question side by side can&apos;t have pictures.</source>
        <translation>Eine Frage, die nebeneinander beantwortet wird, kann keine Bilder haben.</translation>
    </message>
    <message>
        <source>A question side by side can&apos;t have recordings.</source>
        <translation>Eine Frage, die nebeneinander beantwortet wird, kann keine Aufnahmen haben.</translation>
    </message>
</context>
<context>
    <name>ComparisonLauncher</name>
    <message>
        <source>Kept as a chat</source>
        <translation>Als Chat behalten</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
</context>
<context>
    <name>ComparisonPage</name>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Temperature 0</source>
        <translation>Temperatur 0</translation>
    </message>
    <message>
        <source>Always the most likely token, so that both answers can be compared word for word.</source>
        <translation>Immer das wahrscheinlichste Token, sodass sich beide Antworten Wort für Wort vergleichen lassen.</translation>
    </message>
</context>
<context>
    <name>CompatibilityPanel</name>
    <message>
        <source>Find a draft</source>
        <translation>Entwurf suchen</translation>
    </message>
    <message>
        <source>Use without a draft</source>
        <translation>Ohne Entwurf verwenden</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Comparing vocabularies…</source>
        <translation>Vokabulare werden verglichen…</translation>
    </message>
    <message>
        <source>Compatibility: {verdict}</source>
        <translation>Kompatibilität: {verdict}</translation>
    </message>
    <message>
        <source>Hide details</source>
        <translation>Details ausblenden</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Start of the answer</source>
        <translation>Anfang der Antwort</translation>
    </message>
</context>
<context>
    <name>ComposerToolbar</name>
    <message>
        <source>Send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Start the answer with…</source>
        <translation>Antwort beginnen mit…</translation>
    </message>
</context>
<context>
    <name>ContextController</name>
    <message>
        <source>The {n} oldest messages no longer fit in the context.</source>
        <translation>Die {n} ältesten Nachrichten passen nicht mehr in den Kontext.</translation>
    </message>
    <message>
        <source>The oldest message no longer fits in the context.</source>
        <translation>Die älteste Nachricht passt nicht mehr in den Kontext.</translation>
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
    <name>ContextText</name>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>System prompt and project</source>
        <translation>Systemprompt und Projekt</translation>
    </message>
    <message>
        <source>System prompt and tools</source>
        <translation>Systemprompt und Werkzeuge</translation>
    </message>
    <message>
        <source>System prompt, project and tools</source>
        <translation>Systemprompt, Projekt und Werkzeuge</translation>
    </message>
    <message>
        <source>Chat so far</source>
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
        <source>Too long</source>
        <translation>Zu lang</translation>
    </message>
    <message>
        <source>Tools left out: {n}. Turn off those that you don&apos;t need.</source>
        <translation>Ausgelassene Werkzeuge: {n}. Schalten Sie die aus, die Sie nicht brauchen.</translation>
    </message>
    <message>
        <source>Tools left out: {n}. Turn off those that you don&apos;t need, or load the model with a larger context.</source>
        <translation>Ausgelassene Werkzeuge: {n}. Schalten Sie die aus, die Sie nicht brauchen, oder laden Sie das Modell mit größerem Kontext.</translation>
    </message>
    <message>
        <source>1 token left</source>
        <translation>noch 1 Token</translation>
    </message>
    <message>
        <source>{n} tokens left</source>
        <translation>noch {n} Token</translation>
    </message>
    <message>
        <source>1 message left out</source>
        <translation>1 Nachricht weggelassen</translation>
    </message>
    <message>
        <source>{n} messages left out</source>
        <translation>{n} Nachrichten weggelassen</translation>
    </message>
    <message>
        <source>The context is nearly full ({tokens_left}). A long answer may be cut off.</source>
        <translation>Der Kontext ist fast voll ({tokens_left}). Eine lange Antwort kann abgeschnitten werden.</translation>
    </message>
    <message>
        <source>Oldest messages left out: {n}. Load the model with a larger context to keep them.</source>
        <translation>Älteste Nachrichten weggelassen: {n}. Laden Sie das Modell mit größerem Kontext, um sie zu behalten.</translation>
    </message>
    <message>
        <source>Too long: shorten the message or remove attachments.</source>
        <translation>Zu lang: Kürzen Sie die Nachricht, oder entfernen Sie Anhänge.</translation>
    </message>
    <message>
        <source>Too long: shorten the message, remove attachments, or load the model with a larger context.</source>
        <translation>Zu lang: Kürzen Sie die Nachricht, entfernen Sie Anhänge, oder laden Sie das Modell mit größerem Kontext.</translation>
    </message>
    <message>
        <source>Message too long: {asked} tokens, room for {free}. The system prompt and the answer need the rest.</source>
        <translation>Nachricht zu lang: {asked} Token, Platz für {free}. Den Rest brauchen Systemprompt und Antwort.</translation>
    </message>
    <message>
        <source>Context {used} / {n_ctx}</source>
        <translation>Kontext {used} / {n_ctx}</translation>
    </message>
    <message>
        <source>about {used} of {n_ctx} tokens (pictures and recordings are estimated)</source>
        <translation>etwa {used} von {n_ctx} Token (Bilder und Aufnahmen sind geschätzt)</translation>
    </message>
    <message>
        <source>Context about {used} / {n_ctx}</source>
        <translation>Kontext etwa {used} / {n_ctx}</translation>
    </message>
    <message>
        <source>about {used} of {n_ctx} tokens (this engine doesn&apos;t count them in advance)</source>
        <translation>etwa {used} von {n_ctx} Token (diese Engine zählt sie nicht im Voraus)</translation>
    </message>
    <message>
        <source>{total} used ({parts}), {room} left for the answer.</source>
        <translation>{total} belegt ({parts}), {room} frei für die Antwort.</translation>
    </message>
    <message>
        <source>Oldest messages left out: {n}. They no longer fit in the context.</source>
        <translation>Älteste Nachrichten weggelassen: {n}. Sie passen nicht mehr in den Kontext.</translation>
    </message>
    <message>
        <source>{used} of {n_ctx} tokens</source>
        <translation>{used} von {n_ctx} Token</translation>
    </message>
</context>
<context>
    <name>ConversationDelegate</name>
    <message>
        <source>Match in the title</source>
        <translation>Treffer im Titel</translation>
    </message>
    <message>
        <source>Parts of this chat can&apos;t be read.</source>
        <translation>Teile dieses Chats sind nicht lesbar.</translation>
    </message>
    <message>
        <source>This chat waits for its answer.</source>
        <translation>Dieser Chat wartet auf seine Antwort.</translation>
    </message>
    <message>
        <source>This chat waits for your permission to run a tool.</source>
        <translation>Dieser Chat wartet auf Ihre Erlaubnis, ein Werkzeug auszuführen.</translation>
    </message>
    <message>
        <source>This chat has an unsent message.</source>
        <translation>Dieser Chat hat eine nicht gesendete Nachricht.</translation>
    </message>
    <message>
        <source>This chat has an unfinished edit.</source>
        <translation>Dieser Chat hat eine unfertige Bearbeitung.</translation>
    </message>
    <message>
        <source>Chat title</source>
        <translation>Titel des Chats</translation>
    </message>
    <message>
        <source>Project name</source>
        <translation>Projektname</translation>
    </message>
</context>
<context>
    <name>ConversationListModel</name>
    <message>
        <source>Projects</source>
        <translation>Projekte</translation>
    </message>
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
        <source>collapsed</source>
        <translation>eingeklappt</translation>
    </message>
    <message>
        <source>expanded</source>
        <translation>ausgeklappt</translation>
    </message>
    <message>
        <source>1 chat</source>
        <translation>1 Chat</translation>
    </message>
    <message>
        <source>{n} chats</source>
        <translation>{n} Chats</translation>
    </message>
    <message>
        <source>project</source>
        <translation>Projekt</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>unsent message</source>
        <translation>nicht gesendete Nachricht</translation>
    </message>
    <message>
        <source>unfinished edit</source>
        <translation>unfertige Bearbeitung</translation>
    </message>
    <message>
        <source>answering</source>
        <translation>antwortet</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>waiting for your permission to run a tool</source>
        <translation>wartet auf Ihre Erlaubnis, ein Werkzeug auszuführen</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>beschädigt</translation>
    </message>
</context>
<context>
    <name>ConversationListView</name>
    <message>
        <source>Chats</source>
        <translation>Chats</translation>
    </message>
    <message>
        <source>{n} chats</source>
        <translation>{n} Chats</translation>
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
    <message>
        <source>Delete {n} chats</source>
        <translation>{n} Chats löschen</translation>
    </message>
    <message>
        <source>Move to project</source>
        <translation>In Projekt verschieben</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>No project</source>
        <translation>Kein Projekt</translation>
    </message>
</context>
<context>
    <name>ConversationPage</name>
    <message>
        <source>Tells the model how to answer. Sent at the start of the chat.</source>
        <translation>Sagt dem Modell, wie es antworten soll. Steht am Anfang des Chats.</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>For example: Answer briefly and in plain words.</source>
        <translation>Zum Beispiel: Antworte kurz und in einfachen Worten.</translation>
    </message>
    <message>
        <source>No chat is open. Open a chat to change its settings.</source>
        <translation>Es ist kein Chat geöffnet. Öffnen Sie einen, um seine Einstellungen zu ändern.</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Kopiert</translation>
    </message>
</context>
<context>
    <name>Damage</name>
    <message>
        <source>chat {n}</source>
        <translation>Chat {n}</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>Recover the readable chats into a new database. The damaged file is kept.</source>
        <translation>Retten Sie die lesbaren Chats in eine neue Datenbank. Die beschädigte Datei bleibt erhalten.</translation>
    </message>
    <message>
        <source>Recover chats…</source>
        <translation>Chats retten…</translation>
    </message>
</context>
<context>
    <name>DamagedChatsController</name>
    <message>
        <source>The chat database is damaged.</source>
        <translation>Die Chat-Datenbank ist beschädigt.</translation>
    </message>
    <message>
        <source>The chat database is damaged. Parts of these chats can&apos;t be read: {chats}.</source>
        <translation>Die Chat-Datenbank ist beschädigt. Teile dieser Chats sind nicht lesbar: {chats}.</translation>
    </message>
    <message>
        <source>All {n} chats were recovered.</source>
        <translation>Alle {n} Chats wurden gerettet.</translation>
    </message>
    <message>
        <source>The chat was recovered.</source>
        <translation>Der Chat wurde gerettet.</translation>
    </message>
    <message>
        <source>{n} chats were recovered. These are incomplete: {chats}.</source>
        <translation>{n} Chats wurden gerettet. Unvollständig sind: {chats}.</translation>
    </message>
    <message>
        <source>1 chat was recovered. It is incomplete: {chats}.</source>
        <translation>1 Chat wurde gerettet. Er ist unvollständig: {chats}.</translation>
    </message>
    <message>
        <source>The damaged file was kept as {name}.</source>
        <translation>Die beschädigte Datei wurde als {name} behalten.</translation>
    </message>
    <message>
        <source>Recover the readable chats?</source>
        <translation>Lesbare Chats retten?</translation>
    </message>
    <message>
        <source>The window closes and reopens with the recovered chats. The damaged file stays in its folder.</source>
        <translation>Das Fenster wird geschlossen und mit den geretteten Chats wieder geöffnet. Die beschädigte Datei bleibt in ihrem Ordner.</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Retten</translation>
    </message>
</context>
<context>
    <name>DeleteProjectQuestion</name>
    <message>
        <source>Delete the project “{name}”?</source>
        <translation>Projekt „{name}“ löschen?</translation>
    </message>
    <message>
        <source>It contains 1 chat.</source>
        <translation>Es enthält 1 Chat.</translation>
    </message>
    <message>
        <source>It contains {n} chats.</source>
        <translation>Es enthält {n} Chats.</translation>
    </message>
    <message>
        <source>What you delete stays in the trash for 30 days.</source>
        <translation>Was Sie löschen, bleibt 30 Tage im Papierkorb.</translation>
    </message>
    <message>
        <source>Keep chats</source>
        <translation>Chats behalten</translation>
    </message>
    <message>
        <source>Delete chats</source>
        <translation>Chats löschen</translation>
    </message>
</context>
<context>
    <name>Details</name>
    <message>
        <source>packaged app</source>
        <translation>Programmpaket</translation>
    </message>
    <message>
        <source>Python package</source>
        <translation>Python-Paket</translation>
    </message>
    <message>
        <source>Installation</source>
        <translation>Installation</translation>
    </message>
    <message>
        <source>System</source>
        <translation>System</translation>
    </message>
    <message>
        <source>unknown version</source>
        <translation>unbekannte Version</translation>
    </message>
</context>
<context>
    <name>DocumentLauncher</name>
    <message>
        <source>{name} isn&apos;t attached to this chat.</source>
        <translation>{name} ist in diesem Chat nicht angehängt.</translation>
    </message>
    <message>
        <source>{place} isn&apos;t in this document.</source>
        <translation>{place} gibt es in diesem Dokument nicht.</translation>
    </message>
</context>
<context>
    <name>DocumentViewer</name>
    <message>
        <source>Passages</source>
        <translation>Textstellen</translation>
    </message>
    <message>
        <source>Text of the document</source>
        <translation>Text des Dokuments</translation>
    </message>
    <message>
        <source>Find in this document</source>
        <translation>In diesem Dokument suchen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>Documents</name>
    <message>
        <source>1 page</source>
        <translation>1 Seite</translation>
    </message>
    <message>
        <source>{n} pages</source>
        <translation>{n} Seiten</translation>
    </message>
    <message>
        <source>1 chapter</source>
        <translation>1 Kapitel</translation>
    </message>
    <message>
        <source>{n} chapters</source>
        <translation>{n} Kapitel</translation>
    </message>
    <message>
        <source>1 file</source>
        <translation>1 Datei</translation>
    </message>
    <message>
        <source>{n} files</source>
        <translation>{n} Dateien</translation>
    </message>
    <message>
        <source>Passages that were read</source>
        <translation>Gelesene Textstellen</translation>
    </message>
    <message>
        <source>{n} passages of {name}, {places}</source>
        <translation>{n} Textstellen aus {name}, {places}</translation>
    </message>
    <message>
        <source>1 passage of {name}, {places}</source>
        <translation>1 Textstelle aus {name}, {places}</translation>
    </message>
</context>
<context>
    <name>DownloadLimitsBar</name>
    <message>
        <source>Simultaneous downloads</source>
        <translation>Gleichzeitige Downloads</translation>
    </message>
    <message>
        <source>Speed limit</source>
        <translation>Tempolimit</translation>
    </message>
    <message>
        <source>{n} at a time</source>
        <translation>{n} gleichzeitig</translation>
    </message>
    <message>
        <source>Up to {n} MB/s</source>
        <translation>Bis {n} MB/s</translation>
    </message>
    <message>
        <source>No speed limit</source>
        <translation>Kein Tempolimit</translation>
    </message>
</context>
<context>
    <name>DownloadPane</name>
    <message>
        <source>Find models on Hugging Face</source>
        <translation>Modelle auf Hugging Face suchen</translation>
    </message>
    <message>
        <source>Looking up {names} on Hugging Face…</source>
        <translation>{names} wird auf Hugging Face gesucht…</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
    <message>
        <source>No downloads</source>
        <translation>Keine Downloads</translation>
    </message>
    <message>
        <source>Find models on Hugging Face, or pick a pair that fits this computer.</source>
        <translation>Suchen Sie Modelle auf Hugging Face, oder wählen Sie ein Paar, das zu diesem Computer passt.</translation>
    </message>
</context>
<context>
    <name>DownloadProblemCard</name>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Open license page</source>
        <translation>Lizenzseite öffnen</translation>
    </message>
    <message>
        <source>Add access token…</source>
        <translation>Zugriffstoken hinzufügen…</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Move up</source>
        <translation>Nach oben</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>Nach unten</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Chatten</translation>
    </message>
    <message>
        <source>Clear</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Download again</source>
        <translation>Erneut herunterladen</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
</context>
<context>
    <name>Downloads</name>
    <message>
        <source>{n} MB/s</source>
        <translation>{n} MB/s</translation>
    </message>
    <message>
        <source>about {n} minutes left</source>
        <translation>noch etwa {n} Minuten</translation>
    </message>
    <message>
        <source>Incomplete</source>
        <translation>Unvollständig</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>Wird geprüft</translation>
    </message>
    <message>
        <source>Retrying</source>
        <translation>Neuer Versuch</translation>
    </message>
    <message>
        <source>Deleted</source>
        <translation>Gelöscht</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Wartet</translation>
    </message>
    <message>
        <source>Downloading</source>
        <translation>Lädt herunter</translation>
    </message>
    <message>
        <source>Installing</source>
        <translation>Wird installiert</translation>
    </message>
    <message>
        <source>Paused</source>
        <translation>Angehalten</translation>
    </message>
    <message>
        <source>Failed</source>
        <translation>Fehlgeschlagen</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>Fertig</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>Kein Modell</translation>
    </message>
    <message>
        <source>with {names}</source>
        <translation>mit {names}</translation>
    </message>
    <message>
        <source>Deleted: {names}</source>
        <translation>Gelöscht: {names}</translation>
    </message>
    <message>
        <source>{reason} specchat will retry at {time} and give up at {end}.</source>
        <translation>{reason} Nächster Versuch um {time}; Abbruch um {end}.</translation>
    </message>
    <message>
        <source>{done} of {whole} GB</source>
        <translation>{done} von {whole} GB</translation>
    </message>
    <message>
        <source>{done} of {whole} MB</source>
        <translation>{done} von {whole} MB</translation>
    </message>
    <message>
        <source>{done} of {whole} kB</source>
        <translation>{done} von {whole} kB</translation>
    </message>
    <message>
        <source>{n} kB/s</source>
        <translation>{n} kB/s</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>noch unter 1 Minute</translation>
    </message>
    <message>
        <source>about a minute left</source>
        <translation>noch etwa 1 Minute</translation>
    </message>
    <message>
        <source>about {n} hours left</source>
        <translation>noch etwa {n} Stunden</translation>
    </message>
    <message>
        <source>about {n} days left</source>
        <translation>noch etwa {n} Tage</translation>
    </message>
</context>
<context>
    <name>DraftsPage</name>
    <message>
        <source>Back to the pair</source>
        <translation>Zurück zum Paar</translation>
    </message>
    <message>
        <source>Drafts for</source>
        <translation>Entwürfe für</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Use without a draft</source>
        <translation>Ohne Entwurf verwenden</translation>
    </message>
    <message>
        <source>Test whether the target&apos;s own first layers make a good draft</source>
        <translation>Ausprobieren, ob die ersten Schichten des Ziels ein guter Entwurf sind</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Try early exit…</source>
        <translation>Early Exit ausprobieren…</translation>
    </message>
    <message>
        <source>Searching this computer and Hugging Face…</source>
        <translation>Suche auf diesem Computer und auf Hugging Face…</translation>
    </message>
    <message>
        <source>Try early exit again…</source>
        <translation>Early Exit erneut ausprobieren…</translation>
    </message>
    <message>
        <source>Searched this computer and Hugging Face.</source>
        <translation>Dieser Computer und Hugging Face wurden durchsucht.</translation>
    </message>
    <message>
        <source>No other drafts found on Hugging Face.</source>
        <translation>Keine weiteren Entwürfe auf Hugging Face gefunden.</translation>
    </message>
    <message>
        <source>No drafts found on this computer or on Hugging Face. Without a draft, specchat guesses from earlier text.</source>
        <translation>Keine Entwürfe gefunden, weder auf diesem Computer noch auf Hugging Face. Ohne Entwurf nimmt specchat Vorschläge aus früherem Text.</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Use {draft}</source>
        <translation>{draft} verwenden</translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation>Entwürfe</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>auf diesem Computer</translation>
    </message>
    <message>
        <source>not downloaded</source>
        <translation>nicht heruntergeladen</translation>
    </message>
    <message>
        <source>doesn&apos;t fit</source>
        <translation>passt nicht</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>knapp</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>zu groß</translation>
    </message>
    <message>
        <source>incompatible</source>
        <translation>inkompatibel</translation>
    </message>
    <message>
        <source>not usable</source>
        <translation>nicht verwendbar</translation>
    </message>
</context>
<context>
    <name>DroppedModel</name>
    <message>
        <source>Use {name} as</source>
        <translation>{name} verwenden als</translation>
    </message>
    <message>
        <source>Use as the target</source>
        <translation>Als Ziel verwenden</translation>
    </message>
    <message>
        <source>Use as the draft of {target}</source>
        <translation>Als Entwurf für {target} verwenden</translation>
    </message>
    <message>
        <source>Use as the encoder (mmproj) of {target}</source>
        <translation>Als Encoder (mmproj) von {target} verwenden</translation>
    </message>
</context>
<context>
    <name>EarlyExitController</name>
    <message>
        <source>specchat will spend a few minutes measuring how fast {name} is with its own first layers as the draft. This takes up to {space} in the cache folder. If the draft makes answers faster, specchat keeps it (up to {size}).</source>
        <translation>specchat misst einige Minuten lang, wie schnell {name} mit den eigenen ersten Schichten als Entwurf ist. Das belegt bis zu {space} im Cache-Ordner. Wenn der Entwurf die Antworten schneller macht, behält specchat ihn (bis zu {size}).</translation>
    </message>
    <message>
        <source>This model was trained for early exit.</source>
        <translation>Dieses Modell wurde für Early Exit trainiert.</translation>
    </message>
    <message>
        <source>Try early exit?</source>
        <translation>Early Exit ausprobieren?</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Testing early exit after layer {n}: {percent} done. Going back stops the test.</source>
        <translation>Early Exit nach Schicht {n} wird ausprobiert: {percent}. Zurückgehen bricht den Test ab.</translation>
    </message>
    <message>
        <source>Early exit doesn&apos;t pay off on this computer: after layer {n}, answers would be {speed}× as fast as plain decoding.</source>
        <translation>Early Exit lohnt sich auf diesem Computer nicht: Nach Schicht {n} wären Antworten {speed}-mal so schnell wie ohne Vorschläge.</translation>
    </message>
    <message>
        <source>The early exit test was stopped. Nothing was kept.</source>
        <translation>Der Early-Exit-Test wurde abgebrochen. Es wurde nichts behalten.</translation>
    </message>
</context>
<context>
    <name>EditingBanner</name>
    <message>
        <source>Editing your message. Send it to get a new answer. The old version is kept.</source>
        <translation>Nachricht wird bearbeitet. Senden erzeugt eine neue Antwort, die alte bleibt.</translation>
    </message>
    <message>
        <source>Editing the answer. The old version is kept.</source>
        <translation>Antwort wird bearbeitet. Die alte Version bleibt erhalten.</translation>
    </message>
    <message>
        <source>The new answer starts with these words.</source>
        <translation>Die neue Antwort beginnt mit diesen Worten.</translation>
    </message>
    <message>
        <source>Cancel editing (Esc)</source>
        <translation>Bearbeiten abbrechen (Esc)</translation>
    </message>
</context>
<context>
    <name>EngineCard</name>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird aufgebaut…</translation>
    </message>
    <message>
        <source>Not responding</source>
        <translation>Antwortet nicht</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Choose a model…</source>
        <translation>Modell wählen…</translation>
    </message>
    <message>
        <source>Choose a model from {name}</source>
        <translation>Ein Modell von {name} wählen</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Test {name}</source>
        <translation>{name} testen</translation>
    </message>
    <message>
        <source>Set key…</source>
        <translation>Schlüssel eingeben…</translation>
    </message>
    <message>
        <source>Remove engine from list</source>
        <translation>Engine aus der Liste entfernen</translation>
    </message>
    <message>
        <source>Its key is deleted from the keyring. The engine itself keeps running.</source>
        <translation>Ihr Schlüssel wird aus dem Schlüsselbund gelöscht. Die Engine selbst läuft weiter.</translation>
    </message>
</context>
<context>
    <name>EngineNotes</name>
    <message>
        <source>The engine loads this model with its own settings and decides how to guess. Draft, context, memory, and device settings are not available here.</source>
        <translation>Die Engine lädt dieses Modell mit eigenen Einstellungen und entscheidet, wie sie vorschlägt. Entwurf, Kontext, Speicher und Gerät lassen sich hier nicht einstellen.</translation>
    </message>
</context>
<context>
    <name>Engines</name>
    <message>
        <source>{engine} serves {models}. It doesn&apos;t report accepted guesses.</source>
        <translation>{engine} bietet {models} an und meldet keine angenommenen Vorschläge.</translation>
    </message>
    <message>
        <source>{engine} serves {models}. It can report accepted guesses.</source>
        <translation>{engine} bietet {models} an und kann angenommene Vorschläge melden.</translation>
    </message>
    <message>
        <source>Since startup, for all clients: {accepted} of {drafted} guesses accepted ({share}).</source>
        <translation>Seit dem Start, für alle Clients: {accepted} von {drafted} Vorschlägen angenommen ({share}).</translation>
    </message>
    <message>
        <source>Since startup, for all clients: {n} tokens per pass.</source>
        <translation>Seit dem Start, für alle Clients: {n} Token je Durchlauf.</translation>
    </message>
    <message>
        <source>Not supported: {settings}.</source>
        <translation>Nicht unterstützt: {settings}.</translation>
    </message>
    <message>
        <source>It doesn&apos;t report where each token came from, so tokens have no colors.</source>
        <translation>Sie meldet nicht, woher jedes Token stammt, daher haben Token keine Farben.</translation>
    </message>
    <message>
        <source>connecting…</source>
        <translation>Verbindung wird aufgebaut…</translation>
    </message>
    <message>
        <source>no models</source>
        <translation>keine Modelle</translation>
    </message>
    <message>
        <source>Loaded</source>
        <translation>Geladen</translation>
    </message>
    <message>
        <source>Loaded when you choose it</source>
        <translation>Wird bei der Auswahl geladen</translation>
    </message>
    <message>
        <source>context {n} tokens</source>
        <translation>Kontext {n} Token</translation>
    </message>
    <message>
        <source>1 model</source>
        <translation>1 Modell</translation>
    </message>
    <message>
        <source>{n} models</source>
        <translation>{n} Modelle</translation>
    </message>
    <message>
        <source>top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>repeat penalty</source>
        <translation>Wiederholungsstrafe</translation>
    </message>
</context>
<context>
    <name>EnginesPane</name>
    <message>
        <source>Add an engine…</source>
        <translation>Engine hinzufügen…</translation>
    </message>
    <message>
        <source>Find on this computer</source>
        <translation>Auf diesem Computer suchen</translation>
    </message>
    <message>
        <source>Add a machine…</source>
        <translation>Computer hinzufügen…</translation>
    </message>
    <message>
        <source>No other engines found on their usual ports.</source>
        <translation>Auf den üblichen Ports wurde keine weitere Engine gefunden.</translation>
    </message>
    <message>
        <source>No matching engines</source>
        <translation>Keine passenden Engines</translation>
    </message>
    <message>
        <source>Chat with models served by llama-server, vLLM, SGLang, LM Studio, Ollama, another specchat, or any OpenAI-compatible server, on this computer or elsewhere.</source>
        <translation>Mit Modellen chatten, die llama-server, vLLM, SGLang, LM Studio, Ollama, ein anderes specchat oder ein OpenAI-kompatibler Server anbietet, auf diesem Computer oder anderswo.</translation>
    </message>
    <message>
        <source>No engines yet</source>
        <translation>Noch keine Engines</translation>
    </message>
    <message>
        <source>Found on this computer</source>
        <translation>Auf diesem Computer gefunden</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>Andere Computer</translation>
    </message>
    <message>
        <source>Looking for engines…</source>
        <translation>Engines werden gesucht…</translation>
    </message>
    <message>
        <source>Other engines</source>
        <translation>Andere Engines</translation>
    </message>
    <message>
        <source>Filter engines</source>
        <translation>Engines filtern</translation>
    </message>
    <message>
        <source>Computers that run ggml-rpc-server lend their memory and GPUs to models on this computer.</source>
        <translation>Computer mit ggml-rpc-server stellen Modellen auf diesem Computer Speicher und GPUs bereit.</translation>
    </message>
    <message>
        <source>Checks the ports that engines usually use on this computer.</source>
        <translation>Fragt die Ports ab, die Engines auf diesem Computer üblicherweise benutzen.</translation>
    </message>
</context>
<context>
    <name>Entries</name>
    <message>
        <source>Oldest messages left out: {n}</source>
        <translation>Älteste Nachrichten weggelassen: {n}</translation>
    </message>
</context>
<context>
    <name>ErrorCard</name>
    <message>
        <source>Hide details</source>
        <translation>Details ausblenden</translation>
    </message>
    <message>
        <source>Details</source>
        <translation>Details</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>No speculation</source>
        <translation>Keine Vorschläge</translation>
    </message>
    <message>
        <source>Not speculating</source>
        <translation>Keine Vorschläge</translation>
    </message>
    <message>
        <source>No guesses yet</source>
        <translation>Noch keine Vorschläge</translation>
    </message>
    <message>
        <source>Time lost, this answer</source>
        <translation>Verlorene Zeit, diese Antwort</translation>
    </message>
    <message>
        <source>Time saved</source>
        <translation>Gesparte Zeit</translation>
    </message>
    <message>
        <source>No answer yet</source>
        <translation>Noch keine Antwort</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>Token pro Sekunde</translation>
    </message>
    <message>
        <source>No stats for the last answer</source>
        <translation>Keine Statistik zur letzten Antwort</translation>
    </message>
    <message>
        <source>No answer with speculation yet</source>
        <translation>Noch keine Antwort mit Spekulation</translation>
    </message>
    <message>
        <source>Tokens/s, last answer</source>
        <translation>Token/s, letzte Antwort</translation>
    </message>
    <message>
        <source>Tokens/s, this answer</source>
        <translation>Token/s, diese Antwort</translation>
    </message>
    <message>
        <source>Time lost, rough estimate</source>
        <translation>Verlorene Zeit, geschätzt</translation>
    </message>
    <message>
        <source>Time saved, rough estimate</source>
        <translation>Gesparte Zeit, geschätzt</translation>
    </message>
    <message>
        <source>Time lost, last answer</source>
        <translation>Verlorene Zeit, letzte Antwort</translation>
    </message>
    <message>
        <source>Time saved, last answer</source>
        <translation>Gesparte Zeit, letzte Antwort</translation>
    </message>
    <message>
        <source>Time saved, this answer</source>
        <translation>Gesparte Zeit, diese Antwort</translation>
    </message>
    <message>
        <source>{n} of guesses accepted</source>
        <translation>{n} der Vorschläge angenommen</translation>
    </message>
    <message>
        <source>Last answer: {figures}</source>
        <translation>Letzte Antwort: {figures}</translation>
    </message>
    <message>
        <source>Lost</source>
        <translation>Verloren</translation>
    </message>
    <message>
        <source>Saved</source>
        <translation>Gespart</translation>
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
        <source>tokens/pass</source>
        <translation>Token/Lauf</translation>
    </message>
    <message>
        <source>speed-up</source>
        <translation>so schnell</translation>
    </message>
    <message>
        <source>the draft failed: {error}</source>
        <translation>der Entwurf ist fehlgeschlagen: {error}</translation>
    </message>
    <message>
        <source>the drafter {name} failed: {error}</source>
        <translation>die Vorschlagsart {name} ist fehlgeschlagen: {error}</translation>
    </message>
    <message>
        <source>speculation would cost more time than it saves</source>
        <translation>Vorschläge würden mehr Zeit kosten als sparen</translation>
    </message>
    <message>
        <source>still measuring whether speculation saves time</source>
        <translation>es wird noch gemessen, ob sie Zeit sparen</translation>
    </message>
    <message>
        <source>the answer ended before the first guess</source>
        <translation>die Antwort endete vor dem ersten Vorschlag</translation>
    </message>
    <message>
        <source>nothing in the earlier text was worth repeating</source>
        <translation>im früheren Text gab es nichts zu wiederholen</translation>
    </message>
    <message>
        <source>no guess could be verified by the target</source>
        <translation>das Ziel konnte keinen Vorschlag prüfen</translation>
    </message>
    <message>
        <source>“No speculation” is selected</source>
        <translation>„Keine Vorschläge“ ist ausgewählt</translation>
    </message>
    <message>
        <source>the engine doesn&apos;t report guesses</source>
        <translation>die Engine meldet keine Vorschläge</translation>
    </message>
    <message>
        <source>no draft is selected</source>
        <translation>kein Entwurf ist ausgewählt</translation>
    </message>
    <message>
        <source>the number of guesses is 0</source>
        <translation>die Zahl der Vorschläge ist 0</translation>
    </message>
    <message>
        <source>the target can&apos;t roll back tokens</source>
        <translation>das Ziel kann Token nicht zurücknehmen</translation>
    </message>
    <message>
        <source>the target is a recurrent model and can&apos;t roll back tokens</source>
        <translation>das rekurrente Ziel nimmt keine Token zurück</translation>
    </message>
    <message>
        <source>the target can&apos;t verify several branches in one pass</source>
        <translation>das Ziel kann Zweige nicht gemeinsam prüfen</translation>
    </message>
    <message>
        <source>other answers are written at the same time</source>
        <translation>andere Antworten entstehen gleichzeitig</translation>
    </message>
    <message>
        <source>the draft is a recurrent model and can&apos;t roll back tokens</source>
        <translation>der rekurrente Entwurf nimmt keine Token zurück</translation>
    </message>
    <message>
        <source>it saves no time</source>
        <translation>spart keine Zeit</translation>
    </message>
    <message>
        <source>still measuring</source>
        <translation>wird noch gemessen</translation>
    </message>
    <message>
        <source>Guesses not reported so far</source>
        <translation>Vorschläge bisher nicht gemeldet</translation>
    </message>
    <message>
        <source>Not speculating: {reason}</source>
        <translation>Keine Vorschläge: {reason}</translation>
    </message>
    <message>
        <source>Guesses: not reported by the engine</source>
        <translation>Vorschläge: von der Engine nicht gemeldet</translation>
    </message>
    <message>
        <source>No guesses: {reason}</source>
        <translation>Keine Vorschläge: {reason}</translation>
    </message>
    <message>
        <source>not reported</source>
        <translation>nicht gemeldet</translation>
    </message>
    <message>
        <source>Drafter not reported</source>
        <translation>Vorschlagsart nicht gemeldet</translation>
    </message>
    <message>
        <source>Draft: {name}</source>
        <translation>Entwurf: {name}</translation>
    </message>
    <message>
        <source>{draft} + {others}</source>
        <translation>{draft} + {others}</translation>
    </message>
    <message>
        <source>Drafter: {name}</source>
        <translation>Vorschlagsart: {name}</translation>
    </message>
    <message>
        <source>Draft off: {reason}</source>
        <translation>Entwurf aus: {reason}</translation>
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
        <source>Other programs kept the processor busy, now or when the models were measured, so this is a rough estimate.</source>
        <translation>Andere Programme beschäftigten den Prozessor, jetzt oder beim Messen der Modelle; daher ist das grob geschätzt.</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guesses accepted</source>
        <translation>{accepted} von {drafted} angenommen</translation>
    </message>
    <message>
        <source>{n} percent of {drafted} guesses accepted</source>
        <translation>{n} Prozent von {drafted} Vorschlägen angenommen</translation>
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
        <source>{time}, roughly</source>
        <translation>ungefähr {time}</translation>
    </message>
    <message>
        <source>{n} percent of {drafted} guesses accepted, {time}</source>
        <translation>{n} Prozent von {drafted} Vorschlägen angenommen, {time}</translation>
    </message>
    <message>
        <source>No guesses in this chat yet.</source>
        <translation>In diesem Chat gab es noch keine Vorschläge.</translation>
    </message>
    <message>
        <source>The engine doesn&apos;t report guesses.</source>
        <translation>Die Engine meldet keine Vorschläge.</translation>
    </message>
    <message>
        <source>No guesses in this chat: {reason}.</source>
        <translation>In diesem Chat gab es noch keine Vorschläge: {reason}.</translation>
    </message>
    <message>
        <source>{accepted} of {drafted} guesses accepted. The engine doesn&apos;t report the time saved.</source>
        <translation>{accepted} von {drafted} Vorschlägen angenommen. Die Engine meldet die gesparte Zeit nicht.</translation>
    </message>
    <message>
        <source>Speculation neither saved nor cost time in this chat.</source>
        <translation>In diesem Chat haben die Vorschläge Zeit weder gespart noch gekostet.</translation>
    </message>
    <message>
        <source>Speculation cost time in this chat: the answers took {took} instead of about {plain}.</source>
        <translation>In diesem Chat haben die Vorschläge Zeit gekostet: Die Antworten brauchten {took}, ohne Vorschläge etwa {plain}.</translation>
    </message>
    <message>
        <source>Speculation saved {saved} of {plain} in this chat. Answers were {n}× as fast.</source>
        <translation>In diesem Chat haben die Vorschläge {saved} von {plain} gespart. Die Antworten waren {n}-mal so schnell.</translation>
    </message>
    <message>
        <source>Speculation cost roughly {time} in this chat.</source>
        <translation>Vorschläge haben in diesem Chat ungefähr {time} gekostet.</translation>
    </message>
    <message>
        <source>Speculation saved roughly {time} in this chat.</source>
        <translation>Vorschläge haben in diesem Chat ungefähr {time} gespart.</translation>
    </message>
    <message>
        <source>Other programs kept the processor busy at times, so this is an estimate.</source>
        <translation>Andere Programme beschäftigten zeitweise den Prozessor; daher ist das geschätzt.</translation>
    </message>
    <message>
        <source>Target: {name}</source>
        <translation>Ziel: {name}</translation>
    </message>
    <message>
        <source>{n} tokens/s</source>
        <translation>{n} Token/s</translation>
    </message>
    <message>
        <source>begun by you</source>
        <translation>von Ihnen begonnen</translation>
    </message>
    <message>
        <source>edited</source>
        <translation>bearbeitet</translation>
    </message>
    <message>
        <source>specchat quit unexpectedly</source>
        <translation>specchat wurde unerwartet beendet</translation>
    </message>
    <message>
        <source>{n} token</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>{n} accepted</source>
        <translation>{n} angenommen</translation>
    </message>
    <message>
        <source>no guesses</source>
        <translation>keine Vorschläge</translation>
    </message>
    <message>
        <source>guesses not reported</source>
        <translation>Vorschläge nicht gemeldet</translation>
    </message>
    <message>
        <source>speculation off: {reason}</source>
        <translation>Vorschläge aus: {reason}</translation>
    </message>
    <message>
        <source>no guesses: {reason}</source>
        <translation>keine Vorschläge: {reason}</translation>
    </message>
    <message>
        <source>cut off</source>
        <translation>abgeschnitten</translation>
    </message>
    <message>
        <source>window closed</source>
        <translation>Fenster geschlossen</translation>
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
        <source>exactness not checked</source>
        <translation>Exaktheit nicht geprüft</translation>
    </message>
    <message>
        <source>not exact</source>
        <translation>nicht exakt</translation>
    </message>
    <message>
        <source>checking several tokens at once rounds differently on this computer</source>
        <translation>beim Prüfen mehrerer Token zugleich wird auf diesem Computer anders gerundet</translation>
    </message>
    <message>
        <source>rolled-back tokens leave traces in the cache</source>
        <translation>zurückgenommene Token hinterlassen Spuren im Cache</translation>
    </message>
    <message>
        <source>not exact: {reason}</source>
        <translation>nicht exakt: {reason}</translation>
    </message>
</context>
<context>
    <name>FileOpener</name>
    <message>
        <source>{name} is already loaded</source>
        <translation>{name} ist schon geladen</translation>
    </message>
</context>
<context>
    <name>FilteredPane</name>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Filter by name</source>
        <translation>Nach Namen filtern</translation>
    </message>
</context>
<context>
    <name>FindBar</name>
    <message>
        <source>Find in this chat</source>
        <translation>In diesem Chat suchen</translation>
    </message>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>No matches</source>
        <translation>Keine Treffer</translation>
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
        <source>{place}, in an attached file</source>
        <translation>{place}, in einer angehängten Datei</translation>
    </message>
    <message>
        <source>{n} of {total}</source>
        <translation>{n} von {total}</translation>
    </message>
</context>
<context>
    <name>FitBar</name>
    <message>
        <source>Other programs use {size}.</source>
        <translation>Andere Programme belegen {size}.</translation>
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
        <source>KV caches</source>
        <translation>KV-Caches</translation>
    </message>
    <message>
        <source>Compute buffers</source>
        <translation>Rechenpuffer</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Andere Programme</translation>
    </message>
    <message>
        <source>RAM</source>
        <translation>RAM</translation>
    </message>
    <message>
        <source>Needs {needed} of {free} free RAM</source>
        <translation>Braucht {needed} von {free} freiem RAM</translation>
    </message>
    <message>
        <source>Needs {needed} of {free} free GPU memory</source>
        <translation>Braucht {needed} von {free} freiem GPU-Speicher</translation>
    </message>
    <message>
        <source>{device}: needs {needed} of {free} free</source>
        <translation>{device}: braucht {needed}, frei sind {free}</translation>
    </message>
    <message>
        <source>Needs {needed} of {free} free</source>
        <translation>Braucht {needed}, frei sind {free}</translation>
    </message>
    <message>
        <source>{size} over</source>
        <translation>{size} zu viel</translation>
    </message>
    <message>
        <source>{size} left</source>
        <translation>{size} übrig</translation>
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
        <source>Doesn&apos;t fit</source>
        <translation>Passt nicht</translation>
    </message>
</context>
<context>
    <name>FoundEngineCard</name>
    <message>
        <source>Add</source>
        <translation>Hinzufügen</translation>
    </message>
    <message>
        <source>Add {name}</source>
        <translation>{name} hinzufügen</translation>
    </message>
</context>
<context>
    <name>FreeMemory</name>
    <message>
        <source>{size} of RAM</source>
        <translation>{size} RAM</translation>
    </message>
    <message>
        <source>{gpu} of GPU memory and {ram} of RAM</source>
        <translation>{gpu} GPU-Speicher und {ram} RAM</translation>
    </message>
</context>
<context>
    <name>GenerationController</name>
    <message>
        <source>Only the last answer can be continued.</source>
        <translation>Nur die letzte Antwort lässt sich fortsetzen.</translation>
    </message>
    <message>
        <source>Branch from this answer first.</source>
        <translation>Zweigen Sie zuerst von dieser Antwort ab.</translation>
    </message>
    <message>
        <source>Choose a pair first, or wait until it has loaded.</source>
        <translation>Wählen Sie zuerst ein Paar, oder warten Sie, bis es geladen ist.</translation>
    </message>
    <message>
        <source>This model can&apos;t see the pictures in this chat.</source>
        <translation>Dieses Modell kann die Bilder in diesem Chat nicht sehen.</translation>
    </message>
    <message>
        <source>This model can&apos;t hear the recordings in this chat.</source>
        <translation>Dieses Modell kann die Aufnahmen in diesem Chat nicht hören.</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Antwort neu erzeugen</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Show chats</source>
        <translation>Chatliste einblenden</translation>
    </message>
    <message>
        <source>Highlight draft tokens</source>
        <translation>Vorgeschlagene Token hervorheben</translation>
    </message>
    <message>
        <source>Live stats overlay</source>
        <translation>Overlay mit Live-Statistik</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
</context>
<context>
    <name>HelpPage</name>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>Inhalt</translation>
    </message>
    <message>
        <source>Page</source>
        <translation>Seite</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Search help</source>
        <translation>Hilfe durchsuchen</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Hilfeseiten</translation>
    </message>
</context>
<context>
    <name>Hub</name>
    <message>
        <source>Trending</source>
        <translation>Im Trend</translation>
    </message>
    <message>
        <source>Most downloads</source>
        <translation>Meiste Downloads</translation>
    </message>
    <message>
        <source>Most likes</source>
        <translation>Meiste Likes</translation>
    </message>
    <message>
        <source>Recently updated</source>
        <translation>Zuletzt aktualisiert</translation>
    </message>
    <message>
        <source>{n} parameters</source>
        <translation>{n} Parameter</translation>
    </message>
    <message>
        <source>license: {name}</source>
        <translation>Lizenz: {name}</translation>
    </message>
    <message>
        <source>{n} downloads</source>
        <translation>{n} Downloads</translation>
    </message>
    <message>
        <source>1 download</source>
        <translation>1 Download</translation>
    </message>
    <message>
        <source>updated {month}</source>
        <translation>aktualisiert {month}</translation>
    </message>
    <message>
        <source>License agreement required</source>
        <translation>Lizenzzustimmung nötig</translation>
    </message>
    <message>
        <source>You can download it after accepting its license.</source>
        <translation>Sie können das Modell herunterladen, sobald Sie seine Lizenz angenommen haben.</translation>
    </message>
    <message>
        <source>Access on request</source>
        <translation>Zugang auf Anfrage</translation>
    </message>
    <message>
        <source>Its authors review each access request.</source>
        <translation>Die Autoren prüfen jede Anfrage.</translation>
    </message>
    <message>
        <source>Visible only to authorized users.</source>
        <translation>Nur für Berechtigte sichtbar.</translation>
    </message>
    <message>
        <source>Private</source>
        <translation>Privat</translation>
    </message>
    <message>
        <source>Rough estimate: needs about {size} with {quantization}. Free: {memory}.</source>
        <translation>Grobe Schätzung: braucht mit {quantization} etwa {size}. Frei: {memory}.</translation>
    </message>
    <message>
        <source>Fits with {quantization}</source>
        <translation>Passt mit {quantization}</translation>
    </message>
    <message>
        <source>Rough estimate: the file is {size}. Free: {memory}.</source>
        <translation>Grobe Schätzung: Die Datei hat {size}. Frei: {memory}.</translation>
    </message>
    <message>
        <source>Already on this computer.</source>
        <translation>Schon auf diesem Computer.</translation>
    </message>
    <message>
        <source>Downloaded</source>
        <translation>Heruntergeladen</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>{n} files</source>
        <translation>{n} Dateien</translation>
    </message>
    <message>
        <source>{n} layers</source>
        <translation>{n} Schichten</translation>
    </message>
    <message>
        <source>No chat template: it may not be a chat model.</source>
        <translation>Keine Chat-Vorlage: Vielleicht ist es kein Chat-Modell.</translation>
    </message>
    <message>
        <source>specchat read {size} of the file to show this.</source>
        <translation>Dafür hat specchat {size} der Datei gelesen.</translation>
    </message>
    <message>
        <source>Tokenizer {kind}, {n} tokens, {digest}</source>
        <translation>Tokenizer {kind}, {n} Token, {digest}</translation>
    </message>
    <message>
        <source>Encoder for pictures or audio (mmproj). Downloaded with a model from here.</source>
        <translation>Encoder für Bilder oder Audio (mmproj). Wird mit einem Modell von hier heruntergeladen.</translation>
    </message>
    <message>
        <source>Calibration data for quantizing. Not needed to run the model.</source>
        <translation>Kalibrierungsdaten für die Quantisierung. Zum Betrieb des Modells nicht nötig.</translation>
    </message>
    <message>
        <source>MTP head that drafts for this model.</source>
        <translation>MTP-Kopf, der für dieses Modell vorschlägt.</translation>
    </message>
    <message>
        <source>EAGLE-3 head that drafts for this model.</source>
        <translation>EAGLE-3-Kopf, der für dieses Modell vorschlägt.</translation>
    </message>
    <message>
        <source>DFlash head that drafts for this model.</source>
        <translation>DFlash-Kopf, der für dieses Modell vorschlägt.</translation>
    </message>
    <message>
        <source>DSpark head that drafts for this model.</source>
        <translation>DSpark-Kopf, der für dieses Modell vorschlägt.</translation>
    </message>
    <message>
        <source>Medusa heads that draft for this model.</source>
        <translation>Medusa-Köpfe, die für dieses Modell vorschlagen.</translation>
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
        <source>Too large</source>
        <translation>Zu groß</translation>
    </message>
</context>
<context>
    <name>HubFileCard</name>
    <message>
        <source>Download {name}</source>
        <translation>{name} herunterladen</translation>
    </message>
    <message>
        <source>Download only</source>
        <translation>Nur herunterladen</translation>
    </message>
    <message>
        <source>Show details for {name}</source>
        <translation>Details zu {name} anzeigen</translation>
    </message>
    <message>
        <source>Reading the header…</source>
        <translation>Header wird gelesen…</translation>
    </message>
</context>
<context>
    <name>HubMessage</name>
    <message>
        <source>Show without filters</source>
        <translation>Ohne Filter anzeigen</translation>
    </message>
    <message>
        <source>Keep searching</source>
        <translation>Weitersuchen</translation>
    </message>
    <message>
        <source>Open license page</source>
        <translation>Lizenzseite öffnen</translation>
    </message>
    <message>
        <source>Add access token…</source>
        <translation>Zugriffstoken hinzufügen…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>Modelle auf diesem Computer</translation>
    </message>
</context>
<context>
    <name>HubPage</name>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Remove token</source>
        <translation>Zugriffstoken entfernen</translation>
    </message>
    <message>
        <source>Create a token on huggingface.co…</source>
        <translation>Zugriffstoken auf huggingface.co erstellen…</translation>
    </message>
    <message>
        <source>Reading the keyring…</source>
        <translation>Schlüsselbund wird gelesen…</translation>
    </message>
    <message>
        <source>Checking the token with Hugging Face…</source>
        <translation>Zugriffstoken wird bei Hugging Face geprüft…</translation>
    </message>
    <message>
        <source>Token</source>
        <translation>Zugriffstoken</translation>
    </message>
    <message>
        <source>Private and gated models need a token. A read-only token is enough.</source>
        <translation>Private und zugangsbeschränkte Modelle brauchen ein Zugriffstoken. Ein Token mit Leserechten genügt.</translation>
    </message>
</context>
<context>
    <name>HubPane</name>
    <message>
        <source>Models on Hugging Face</source>
        <translation>Modelle auf Hugging Face</translation>
    </message>
</context>
<context>
    <name>HubRepositoryPage</name>
    <message>
        <source>Back to results</source>
        <translation>Zurück zu den Treffern</translation>
    </message>
    <message>
        <source>Open model page</source>
        <translation>Modellseite öffnen</translation>
    </message>
    <message>
        <source>More by {author}</source>
        <translation>Mehr von {author}</translation>
    </message>
    <message>
        <source>Loading details…</source>
        <translation>Details werden geladen…</translation>
    </message>
    <message>
        <source>You need to accept the license first.</source>
        <translation>Sie müssen zuerst die Lizenz annehmen.</translation>
    </message>
    <message>
        <source>Accept it on the model page, then enter an access token from your account.</source>
        <translation>Nehmen Sie sie auf der Modellseite an, und geben Sie dann ein Zugriffstoken Ihres Kontos ein.</translation>
    </message>
    <message>
        <source>Its authors review each access request.</source>
        <translation>Die Autoren prüfen jede Anfrage.</translation>
    </message>
    <message>
        <source>Request access on the model page. Once you&apos;re approved, enter an access token from your account.</source>
        <translation>Fordern Sie auf der Modellseite Zugang an. Geben Sie nach der Freigabe ein Zugriffstoken Ihres Kontos ein.</translation>
    </message>
    <message>
        <source>Draft heads for this model</source>
        <translation>Entwurfsköpfe für dieses Modell</translation>
    </message>
    <message>
        <source>Other files</source>
        <translation>Andere Dateien</translation>
    </message>
    <message>
        <source>This repository has no usable GGUF model.</source>
        <translation>Dieses Repository enthält kein brauchbares GGUF-Modell.</translation>
    </message>
    <message>
        <source>Rough estimate of what fits. Free: {memory}.</source>
        <translation>Grobe Schätzung dessen, was passt. Frei: {memory}.</translation>
    </message>
    <message>
        <source>Files for this model</source>
        <translation>Dateien dieses Modells</translation>
    </message>
</context>
<context>
    <name>HubSearchBar</name>
    <message>
        <source>Only models that fit</source>
        <translation>Nur passende Modelle</translation>
    </message>
    <message>
        <source>Up to {size}</source>
        <translation>Bis {size}</translation>
    </message>
    <message>
        <source>Any size</source>
        <translation>Jede Größe</translation>
    </message>
    <message>
        <source>Estimated from the file size and the free memory.</source>
        <translation>Geschätzt nach Dateigröße und freiem Speicher.</translation>
    </message>
    <message>
        <source>Sort by</source>
        <translation>Sortieren nach</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>Parameter</translation>
    </message>
</context>
<context>
    <name>HubSearchBox</name>
    <message>
        <source>Search Hugging Face</source>
        <translation>Hugging Face durchsuchen</translation>
    </message>
    <message>
        <source>Model, author/, or the URL of a model page</source>
        <translation>Modell, Autor/ oder URL einer Modellseite</translation>
    </message>
</context>
<context>
    <name>HubSearchPage</name>
    <message>
        <source>Searching…</source>
        <translation>Suche läuft…</translation>
    </message>
    <message>
        <source>Loading more…</source>
        <translation>Weitere werden geladen…</translation>
    </message>
    <message>
        <source>Show more</source>
        <translation>Mehr anzeigen</translation>
    </message>
    <message>
        <source>On this computer</source>
        <translation>Auf diesem Computer</translation>
    </message>
    <message>
        <source>No GGUF models on Hugging Face match {text}.</source>
        <translation>Auf Hugging Face gibt es kein GGUF-Modell zu {text}.</translation>
    </message>
    <message>
        <source>Nothing found.</source>
        <translation>Nichts gefunden.</translation>
    </message>
    <message>
        <source>Try fewer or different words.</source>
        <translation>Versuchen Sie weniger oder andere Wörter.</translation>
    </message>
    <message>
        <source>The filters hide the one model that was found.</source>
        <translation>Die Filter verbergen das eine gefundene Modell.</translation>
    </message>
    <message>
        <source>The filters hide all {n} models that were found.</source>
        <translation>Die Filter verbergen alle {n} gefundenen Modelle.</translation>
    </message>
    <message>
        <source>Too many parameters, or the number of parameters is unknown.</source>
        <translation>Zu viele Parameter, oder ihre Zahl ist unbekannt.</translation>
    </message>
    <message>
        <source>Too large for the free memory ({memory}), or of unknown size.</source>
        <translation>Zu groß für den freien Speicher ({memory}), oder von unbekannter Größe.</translation>
    </message>
    <message>
        <source>Too many parameters, too large for the free memory ({memory}), or of unknown size.</source>
        <translation>Zu viele Parameter, zu groß für den freien Speicher ({memory}) oder von unbekannter Größe.</translation>
    </message>
    <message>
        <source>1 model</source>
        <translation>1 Modell</translation>
    </message>
    <message>
        <source>{n} models</source>
        <translation>{n} Modelle</translation>
    </message>
    <message>
        <source>{n} of {all} models. The rest are too large or of unknown size.</source>
        <translation>{n} von {all} Modellen. Die anderen sind zu groß oder von unbekannter Größe.</translation>
    </message>
    <message>
        <source>Models on Hugging Face</source>
        <translation>Modelle auf Hugging Face</translation>
    </message>
</context>
<context>
    <name>InteractiveCanvas</name>
    <message>
        <source>Thinking…</source>
        <translation>Denkt nach…</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Gedankengang</translation>
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
        <source>The answer is empty.</source>
        <translation>Die Antwort ist leer.</translation>
    </message>
    <message>
        <source>You: {text}</source>
        <translation>Sie: {text}</translation>
    </message>
    <message>
        <source>Answer: {text}</source>
        <translation>Antwort: {text}</translation>
    </message>
    <message>
        <source>Tool: {text}</source>
        <translation>Werkzeug: {text}</translation>
    </message>
    <message>
        <source>Pictures: {names}.</source>
        <translation>Bilder: {names}.</translation>
    </message>
    <message>
        <source>Recordings: {names}.</source>
        <translation>Aufnahmen: {names}.</translation>
    </message>
</context>
<context>
    <name>KeyController</name>
    <message>
        <source>This computer has no keyring: specchat forgets the key when you quit.</source>
        <translation>Dieser Computer hat keinen Schlüsselbund: specchat vergisst den Schlüssel beim Beenden.</translation>
    </message>
</context>
<context>
    <name>KeyDialog</name>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <source>API key for {address}</source>
        <translation>API-Schlüssel für {address}</translation>
    </message>
    <message>
        <source>specchat stores it in the system&apos;s keyring and sends it only to this address.</source>
        <translation>specchat legt ihn im Schlüsselbund des Systems ab und sendet ihn nur an diese Adresse.</translation>
    </message>
</context>
<context>
    <name>Language</name>
    <message>
        <source>en</source>
        <translation>de</translation>
    </message>
</context>
<context>
    <name>LastRunReporter</name>
    <message>
        <source>Saved as {name}</source>
        <translation>Gespeichert als {name}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
    <message>
        <source>The interrupted answer was kept.</source>
        <translation>Die abgebrochene Antwort ist erhalten.</translation>
    </message>
    <message>
        <source>specchat quit unexpectedly during an answer.</source>
        <translation>specchat wurde während einer Antwort unerwartet beendet.</translation>
    </message>
    <message>
        <source>Your message was kept, and the answer as far as it was written.</source>
        <translation>Ihre Nachricht ist erhalten, ebenso die Antwort, soweit sie geschrieben war.</translation>
    </message>
    <message>
        <source>specchat is running without the GPU.</source>
        <translation>specchat läuft ohne die GPU.</translation>
    </message>
    <message>
        <source>Use GPU again</source>
        <translation>GPU wieder verwenden</translation>
    </message>
    <message>
        <source>specchat quit unexpectedly during an import of chats.</source>
        <translation>specchat wurde während eines Chat-Imports unerwartet beendet.</translation>
    </message>
    <message>
        <source>None of its chats were added. Import the file again.</source>
        <translation>Keiner der Chats wurde übernommen. Importieren Sie die Datei erneut.</translation>
    </message>
    <message>
        <source>Import chats…</source>
        <translation>Chats importieren…</translation>
    </message>
    <message>
        <source>The settings couldn&apos;t be read, so they were reset.</source>
        <translation>Die Einstellungen konnten nicht gelesen werden und wurden zurückgesetzt.</translation>
    </message>
    <message>
        <source>These settings couldn&apos;t be read, so they were reset: {names}.</source>
        <translation>Diese Einstellungen konnten nicht gelesen werden und wurden zurückgesetzt: {names}.</translation>
    </message>
    <message>
        <source>The old file was kept as {name} in {folder}.</source>
        <translation>Die alte Datei wurde als {name} in {folder} behalten.</translation>
    </message>
    <message>
        <source>Save crash report…</source>
        <translation>Absturzbericht speichern…</translation>
    </message>
    <message>
        <source>Save crash report</source>
        <translation>Absturzbericht speichern</translation>
    </message>
    <message>
        <source>Open logs folder</source>
        <translation>Protokollordner öffnen</translation>
    </message>
    <message>
        <source>specchat quit unexpectedly while loading {name}. It may have run out of memory.</source>
        <translation>specchat wurde beim Laden von {name} unerwartet beendet. Vielleicht reichte der Speicher nicht.</translation>
    </message>
    <message>
        <source>{name} wasn&apos;t loaded this time.</source>
        <translation>{name} wurde diesmal nicht geladen.</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>Continue without the GPU</source>
        <translation>Ohne GPU fortfahren</translation>
    </message>
    <message>
        <source>Text (*.txt)</source>
        <translation>Text (*.txt)</translation>
    </message>
    <message>
        <source>Couldn&apos;t open a file manager.</source>
        <translation>Der Dateimanager ließ sich nicht öffnen.</translation>
    </message>
    <message>
        <source>The logs are in {folder}.</source>
        <translation>Die Protokolle liegen in {folder}.</translation>
    </message>
    <message>
        <source>specchat will use the GPU again after you restart it.</source>
        <translation>specchat verwendet die GPU nach einem Neustart wieder.</translation>
    </message>
</context>
<context>
    <name>LibraryController</name>
    <message>
        <source>Prompt “{name}” deleted</source>
        <translation>Prompt „{name}“ gelöscht</translation>
    </message>
</context>
<context>
    <name>LibraryDialog</name>
    <message>
        <source>New prompt</source>
        <translation>Neuer Prompt</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>A prompt needs a text. Changes without one aren&apos;t saved.</source>
        <translation>Ein Prompt braucht einen Text. Änderungen ohne Text werden nicht gespeichert.</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>For example: Translate this into {{language}}: {{text}}</source>
        <translation>Zum Beispiel: Übersetze das in {{language}}: {{text}}</translation>
    </message>
    <message>
        <source>Type / in an empty message to insert a prompt. Fill in what is in {{double braces}} there.</source>
        <translation>Geben Sie / in eine leere Nachricht ein, um einen Prompt einzufügen. Füllen Sie dort aus, was in {{doppelten Klammern}} steht.</translation>
    </message>
</context>
<context>
    <name>LicenceList</name>
    <message>
        <source>Components of specchat</source>
        <translation>Komponenten von specchat</translation>
    </message>
    <message>
        <source>Component</source>
        <translation>Komponente</translation>
    </message>
    <message>
        <source>Version</source>
        <translation>Version</translation>
    </message>
    <message>
        <source>License</source>
        <translation>Lizenz</translation>
    </message>
</context>
<context>
    <name>LicencePage</name>
    <message>
        <source>Open homepage…</source>
        <translation>Website öffnen…</translation>
    </message>
    <message>
        <source>In the packaged app, this page lists the licenses of all included components.
This copy includes no components. Its libraries were installed separately and come with their own licenses.</source>
        <translation>Im Programmpaket führt diese Seite die Lizenzen aller enthaltenen Komponenten auf.
Diese Kopie enthält keine Komponenten. Ihre Bibliotheken wurden getrennt installiert und haben eigene Lizenzen.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>1 component</source>
        <translation>1 Komponente</translation>
    </message>
    <message>
        <source>{n} components</source>
        <translation>{n} Komponenten</translation>
    </message>
    <message>
        <source>License for {part}</source>
        <translation>Lizenz von {part}</translation>
    </message>
    <message>
        <source>Search components</source>
        <translation>Komponenten durchsuchen</translation>
    </message>
</context>
<context>
    <name>Link</name>
    <message>
        <source>Can&apos;t open this link.</source>
        <translation>Dieser Link lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Open this link in your browser?</source>
        <translation>Diesen Link im Browser öffnen?</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
</context>
<context>
    <name>LoadOptions</name>
    <message>
        <source>{n} tokens</source>
        <translation>{n} Token</translation>
    </message>
    <message>
        <source>f16 (full size)</source>
        <translation>f16 (volle Größe)</translation>
    </message>
    <message>
        <source>bf16 (full size)</source>
        <translation>bf16 (volle Größe)</translation>
    </message>
    <message>
        <source>q8_0 (half size)</source>
        <translation>q8_0 (halbe Größe)</translation>
    </message>
    <message>
        <source>q4_0 (quarter size)</source>
        <translation>q4_0 (viertel Größe)</translation>
    </message>
    <message>
        <source>context up to {n} tokens</source>
        <translation>Kontext bis {n} Token</translation>
    </message>
    <message>
        <source>a context of {after} tokens instead of {before}</source>
        <translation>Kontext von {after} statt {before} Token</translation>
    </message>
    <message>
        <source>a {after} KV cache instead of {before}</source>
        <translation>KV-Cache {after} statt {before}</translation>
    </message>
    <message>
        <source>answers at once: {after} instead of {before}</source>
        <translation>Antworten gleichzeitig: {after} statt {before}</translation>
    </message>
    <message>
        <source>{after} of the target&apos;s {all} layers on the GPU</source>
        <translation>{after} von {all} Schichten des Ziels auf der GPU</translation>
    </message>
    <message>
        <source>{after} of the draft&apos;s {all} layers on the GPU</source>
        <translation>{after} von {all} Schichten des Entwurfs auf der GPU</translation>
    </message>
    <message>
        <source>{changes} and {last}</source>
        <translation>{changes} und {last}</translation>
    </message>
</context>
<context>
    <name>LocalModelCard</name>
    <message>
        <source>Loaded</source>
        <translation>Geladen</translation>
    </message>
    <message>
        <source>Vision</source>
        <translation>Vision</translation>
    </message>
    <message>
        <source>Sees pictures, with {name}.</source>
        <translation>Sieht Bilder, mit {name}.</translation>
    </message>
    <message>
        <source>Audio</source>
        <translation>Audio</translation>
    </message>
    <message>
        <source>Hears recordings, with {name}.</source>
        <translation>Hört Aufnahmen, mit {name}.</translation>
    </message>
    <message>
        <source>Verify file</source>
        <translation>Datei prüfen</translation>
    </message>
    <message>
        <source>Show in folder</source>
        <translation>Im Ordner anzeigen</translation>
    </message>
    <message>
        <source>Copy reference</source>
        <translation>Referenz kopieren</translation>
    </message>
    <message>
        <source>The file stays on your disk.</source>
        <translation>Die Datei bleibt, wo sie ist.</translation>
    </message>
    <message>
        <source>More actions for {name}</source>
        <translation>Weitere Aktionen für {name}</translation>
    </message>
</context>
<context>
    <name>LocalModelText</name>
    <message>
        <source>Downloaded from Hugging Face</source>
        <translation>Von Hugging Face heruntergeladen</translation>
    </message>
    <message>
        <source>In specchat&apos;s folder</source>
        <translation>Im Ordner von specchat</translation>
    </message>
    <message>
        <source>Added files</source>
        <translation>Hinzugefügte Dateien</translation>
    </message>
    <message>
        <source>Included with specchat</source>
        <translation>In specchat enthalten</translation>
    </message>
    <message>
        <source>Early exit drafts</source>
        <translation>Early-Exit-Entwürfe</translation>
    </message>
    <message>
        <source>Made from {name}</source>
        <translation>Aus {name}</translation>
    </message>
    <message>
        <source>{n} parameters</source>
        <translation>{n} Parameter</translation>
    </message>
    <message>
        <source>Command-line reference: {reference}</source>
        <translation>Referenz für die Kommandozeile: {reference}</translation>
    </message>
    <message>
        <source>{n} layers</source>
        <translation>{n} Schichten</translation>
    </message>
    <message>
        <source>{shown} of {all} models</source>
        <translation>{shown} von {all} Modellen</translation>
    </message>
    <message>
        <source>No usable models</source>
        <translation>Keine verwendbaren Modelle</translation>
    </message>
    <message>
        <source>1 model, {size}</source>
        <translation>1 Modell, {size}</translation>
    </message>
    <message>
        <source>{n} models, {size}</source>
        <translation>{n} Modelle, {size}</translation>
    </message>
    <message>
        <source>{n} unusable</source>
        <translation>{n} nicht verwendbar</translation>
    </message>
    <message>
        <source>Delete the file ({size})…</source>
        <translation>Datei löschen ({size})…</translation>
    </message>
    <message>
        <source>Remove from list…</source>
        <translation>Aus der Liste entfernen…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
</context>
<context>
    <name>LocalModelsController</name>
    <message>
        <source>Waiting for another file to be verified</source>
        <translation>Wartet, bis eine andere Datei geprüft ist</translation>
    </message>
    <message>
        <source>Verifying: {percent}</source>
        <translation>Datei wird geprüft: {percent}</translation>
    </message>
    <message>
        <source>Delete it and download it again.</source>
        <translation>Löschen Sie die Datei, und laden Sie sie neu herunter.</translation>
    </message>
    <message>
        <source>Verification stopped.</source>
        <translation>Prüfung abgebrochen.</translation>
    </message>
    <message>
        <source>Couldn&apos;t open a file manager.</source>
        <translation>Der Dateimanager ließ sich nicht öffnen.</translation>
    </message>
    <message>
        <source>The file is in {folder}.</source>
        <translation>Die Datei liegt in {folder}.</translation>
    </message>
    <message>
        <source>Copied: {reference}</source>
        <translation>Kopiert: {reference}</translation>
    </message>
</context>
<context>
    <name>LocalModelsPane</name>
    <message>
        <source>Find models on Hugging Face</source>
        <translation>Modelle auf Hugging Face suchen</translation>
    </message>
    <message>
        <source>Add a GGUF file…</source>
        <translation>GGUF-Datei hinzufügen…</translation>
    </message>
    <message>
        <source>Add a folder…</source>
        <translation>Ordner hinzufügen…</translation>
    </message>
    <message>
        <source>Looking for models…</source>
        <translation>Modelle werden gesucht…</translation>
    </message>
    <message>
        <source>No models on this computer yet</source>
        <translation>Noch keine Modelle auf diesem Computer</translation>
    </message>
    <message>
        <source>Find one on Hugging Face, or add a GGUF file or folder. specchat uses files in place, without copying them.</source>
        <translation>Suchen Sie eines auf Hugging Face, oder fügen Sie eine GGUF-Datei oder einen Ordner hinzu. specchat benutzt Dateien an ihrem Ort, ohne sie zu kopieren.</translation>
    </message>
    <message>
        <source>No matching models</source>
        <translation>Keine passenden Modelle</translation>
    </message>
    <message>
        <source>Remove folder from list</source>
        <translation>Ordner aus der Liste entfernen</translation>
    </message>
    <message>
        <source>No other models in this folder.</source>
        <translation>Keine weiteren Modelle in diesem Ordner.</translation>
    </message>
    <message>
        <source>Add a GGUF file</source>
        <translation>GGUF-Datei hinzufügen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Models (*.gguf *.safetensors)</source>
        <translation>Modelle (*.gguf *.safetensors)</translation>
    </message>
    <message>
        <source>Add a folder with models</source>
        <translation>Ordner mit Modellen hinzufügen</translation>
    </message>
    <message>
        <source>Models on this computer</source>
        <translation>Modelle auf diesem Computer</translation>
    </message>
    <message>
        <source>Filter models on this computer</source>
        <translation>Modelle auf diesem Computer filtern</translation>
    </message>
</context>
<context>
    <name>MachineCard</name>
    <message>
        <source>Connecting…</source>
        <translation>Verbindung wird aufgebaut…</translation>
    </message>
    <message>
        <source>Connected</source>
        <translation>Verbunden</translation>
    </message>
    <message>
        <source>Not responding</source>
        <translation>Antwortet nicht</translation>
    </message>
    <message>
        <source>Test</source>
        <translation>Testen</translation>
    </message>
    <message>
        <source>Test {name}</source>
        <translation>{name} testen</translation>
    </message>
    <message>
        <source>Remove machine from list</source>
        <translation>Computer aus der Liste entfernen</translation>
    </message>
</context>
<context>
    <name>MachineFields</name>
    <message>
        <source>Use other machines</source>
        <translation>Andere Computer verwenden</translation>
    </message>
    <message>
        <source>Saved…</source>
        <translation>Gespeicherte…</translation>
    </message>
    <message>
        <source>Start ggml-rpc-server on each of them first (see Help &gt; Other machines).</source>
        <translation>Starten Sie zuerst auf jedem ggml-rpc-server (siehe Hilfe &gt; Andere Computer).</translation>
    </message>
    <message>
        <source>At most {n} machines can be used at once: choose them under “Saved…”.</source>
        <translation>Höchstens {n} Computer lassen sich gleichzeitig verwenden: Wählen Sie sie unter „Gespeicherte…“ aus.</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source>By layer</source>
        <translation>Nach Schichten</translation>
    </message>
    <message>
        <source>By row</source>
        <translation>Nach Zeilen</translation>
    </message>
    <message>
        <source>By tensor</source>
        <translation>Nach Tensoren</translation>
    </message>
    <message>
        <source>One device</source>
        <translation>Ein Gerät</translation>
    </message>
    <message>
        <source>Uses the memory and GPUs of computers that run ggml-rpc-server, which is part of llama.cpp.</source>
        <translation>Benutzt Speicher und GPUs von Computern, auf denen ggml-rpc-server läuft, ein Teil von llama.cpp.</translation>
    </message>
    <message>
        <source>The addresses of the machines, separated by commas.</source>
        <translation>Die Adressen der Computer, durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>Other machines</source>
        <translation>Andere Computer</translation>
    </message>
    <message>
        <source>Machines saved in Models &gt; Engines.</source>
        <translation>Unter Modelle &gt; Engines gespeicherte Computer.</translation>
    </message>
    <message>
        <source>How much of the target each device gets. Leave empty to split it by free memory.</source>
        <translation>Welchen Anteil des Ziels jedes Gerät bekommt. Leer lassen, um nach freiem Speicher aufzuteilen.</translation>
    </message>
    <message>
        <source>Saved machines</source>
        <translation>Gespeicherte Computer</translation>
    </message>
    <message>
        <source>How several devices share the target.</source>
        <translation>Wie sich mehrere Geräte das Ziel teilen.</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>Aufteilung</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>Anteile</translation>
    </message>
    <message>
        <source>by free memory</source>
        <translation>nach freiem Speicher</translation>
    </message>
    <message>
        <source>Adds the memory of other computers on your network.</source>
        <translation>Nutzt zusätzlich den Speicher anderer Computer in Ihrem Netz.</translation>
    </message>
</context>
<context>
    <name>Machines</name>
    <message>
        <source>1 device</source>
        <translation>1 Gerät</translation>
    </message>
    <message>
        <source>{n} devices</source>
        <translation>{n} Geräte</translation>
    </message>
    <message>
        <source>{free} of {total} free</source>
        <translation>{free} von {total} frei</translation>
    </message>
</context>
<context>
    <name>ManagerView</name>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Selected pair</source>
        <translation>Gewähltes Paar</translation>
    </message>
</context>
<context>
    <name>MeasuredSpeed</name>
    <message>
        <source>measured here: {rate} slower</source>
        <translation>hier gemessen: {rate} langsamer</translation>
    </message>
    <message>
        <source>measured here: {n}×</source>
        <translation>hier gemessen: {n}×</translation>
    </message>
    <message>
        <source>{speed} with {length}</source>
        <translation>{speed} ({length})</translation>
    </message>
    <message>
        <source>{n}× in your chats</source>
        <translation>{n}× in Ihren Chats</translation>
    </message>
    <message>
        <source>no faster in your chats</source>
        <translation>in Ihren Chats nicht schneller</translation>
    </message>
</context>
<context>
    <name>MemoryBar</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Target and draft: the size of their weights. The files are slightly larger because they also hold the vocabulary.</source>
        <translation>Ziel und Entwurf: die Größe ihrer Gewichte. Die Dateien sind etwas größer, weil sie auch das Vokabular enthalten.</translation>
    </message>
    <message>
        <source>Estimating memory…</source>
        <translation>Speicherbedarf wird berechnet…</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>How many tokens of the chat the models can see.</source>
        <translation>Wie viele Token des Chats die Modelle sehen.</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>How many layers of the target run on the GPU.</source>
        <translation>Wie viele Schichten des Ziels auf der GPU laufen.</translation>
    </message>
    <message>
        <source>Target layers on the GPU</source>
        <translation>Schichten des Ziels auf der GPU</translation>
    </message>
    <message>
        <source>How many layers of the draft run on the GPU.</source>
        <translation>Wie viele Schichten des Entwurfs auf der GPU laufen.</translation>
    </message>
    <message>
        <source>Draft layers on the GPU</source>
        <translation>Schichten des Entwurfs auf der GPU</translation>
    </message>
    <message>
        <source>KV cache format. Smaller formats need less memory and are less precise.</source>
        <translation>Format des KV-Cache. Kleinere Formate brauchen weniger Speicher und sind ungenauer.</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} von {all}</translation>
    </message>
    <message>
        <source>Estimated with a formula because llama.cpp didn&apos;t report its memory needs.</source>
        <translation>Mit einer Formel geschätzt, weil llama.cpp seinen Speicherbedarf nicht gemeldet hat.</translation>
    </message>
    <message>
        <source>Memory use matched the estimate.</source>
        <translation>Der Speicherbedarf entsprach der Schätzung.</translation>
    </message>
    <message>
        <source>Memory use was {size} above the estimate.</source>
        <translation>Der Speicherbedarf lag {size} über der Schätzung.</translation>
    </message>
    <message>
        <source>Memory use was {size} below the estimate.</source>
        <translation>Der Speicherbedarf lag {size} unter der Schätzung.</translation>
    </message>
</context>
<context>
    <name>MenuActions</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>Prompts…</source>
        <translation>Prompts…</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Start the answer with…</source>
        <translation>Antwort beginnen mit…</translation>
    </message>
    <message>
        <source>Import and export</source>
        <translation>Importieren und exportieren</translation>
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
        <source>Speculation stats…</source>
        <translation>Statistik der Vorschläge…</translation>
    </message>
    <message>
        <source>Unload models</source>
        <translation>Modelle entladen</translation>
    </message>
    <message>
        <source>Side by side…</source>
        <translation>Nebeneinander…</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>specchat help</source>
        <translation>Hilfe zu specchat</translation>
    </message>
    <message>
        <source>About specchat</source>
        <translation>Über specchat</translation>
    </message>
</context>
<context>
    <name>MessageActions</name>
    <message>
        <source>Answer</source>
        <translation>Beantworten</translation>
    </message>
    <message>
        <source>Edit answer</source>
        <translation>Antwort bearbeiten</translation>
    </message>
    <message>
        <source>Delete from here on</source>
        <translation>Ab hier löschen</translation>
    </message>
    <message>
        <source>Copy message</source>
        <translation>Nachricht kopieren</translation>
    </message>
    <message>
        <source>Edit and resend</source>
        <translation>Bearbeiten und erneut senden</translation>
    </message>
    <message>
        <source>Regenerate</source>
        <translation>Antwort neu erzeugen</translation>
    </message>
    <message>
        <source>Start the answer with…</source>
        <translation>Antwort beginnen mit…</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>Branch into new chat</source>
        <translation>In neuen Chat abzweigen</translation>
    </message>
    <message>
        <source>Delete message</source>
        <translation>Nachricht löschen</translation>
    </message>
</context>
<context>
    <name>MessageCard</name>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>MessageEditor</name>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>Enter sends the message. Shift+Enter starts a new line.</source>
        <translation>Enter sendet die Nachricht, Umschalt+Enter beginnt eine neue Zeile.</translation>
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
        <source>Open picture</source>
        <translation>Bild öffnen</translation>
    </message>
    <message>
        <source>Copy picture</source>
        <translation>Bild kopieren</translation>
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
        <source>Show or hide reasoning</source>
        <translation>Gedankengang ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>Play {name}</source>
        <translation>{name} abspielen</translation>
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
    <name>MethodTableModel</name>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>Median of all answers</source>
        <translation>Median aller Antworten</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>Beschleunigung</translation>
    </message>
    <message>
        <source>Median speed-up over plain decoding. Lowest and highest in parentheses.</source>
        <translation>Median der Beschleunigung gegenüber dem Ziel allein, in Klammern der niedrigste und der höchste Wert.</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Share of guesses accepted</source>
        <translation>Anteil der angenommenen Vorschläge</translation>
    </message>
    <message>
        <source>Per pass</source>
        <translation>Je Lauf</translation>
    </message>
    <message>
        <source>Tokens per target pass, including the target&apos;s own</source>
        <translation>Token je Durchlauf des Ziels, sein eigenes eingeschlossen</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>1. Token</translation>
    </message>
    <message>
        <source>Time to first token, including prompt processing</source>
        <translation>Zeit bis zum ersten Token, einschließlich Lesen des Prompts</translation>
    </message>
    <message>
        <source>Same answer</source>
        <translation>Gleich</translation>
    </message>
    <message>
        <source>How many answers match plain decoding token for token</source>
        <translation>Wie viele Antworten Token für Token denen ohne Vorschläge gleichen</translation>
    </message>
    <message>
        <source>{n} of {all}</source>
        <translation>{n} von {all}</translation>
    </message>
    <message>
        <source>Answers that match plain decoding token for token: {n} of {all}.</source>
        <translation>Token für Token dieselben Antworten wie ohne Vorschläge: {n} von {all}.</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
</context>
<context>
    <name>MethodTableView</name>
    <message>
        <source>Results by method</source>
        <translation>Ergebnisse je Methode</translation>
    </message>
</context>
<context>
    <name>ModelAbilities</name>
    <message>
        <source>This model can&apos;t see pictures.</source>
        <translation>Dieses Modell kann keine Bilder sehen.</translation>
    </message>
    <message>
        <source>Choose a model with a vision encoder (mmproj), or remove the pictures.</source>
        <translation>Wählen Sie ein Modell mit Vision-Encoder (mmproj), oder entfernen Sie die Bilder.</translation>
    </message>
    <message>
        <source>This model can&apos;t hear recordings.</source>
        <translation>Dieses Modell kann keine Aufnahmen hören.</translation>
    </message>
    <message>
        <source>Choose a model with an audio encoder (mmproj), or remove the recordings.</source>
        <translation>Wählen Sie ein Modell mit Audio-Encoder (mmproj), oder entfernen Sie die Aufnahmen.</translation>
    </message>
    <message>
        <source>To continue it, choose a model from another engine.</source>
        <translation>Wählen Sie zum Fortsetzen das Modell einer anderen Engine.</translation>
    </message>
</context>
<context>
    <name>ModelManager</name>
    <message>
        <source>On this computer</source>
        <translation>Lokal</translation>
    </message>
    <message>
        <source>Pairs</source>
        <translation>Paare</translation>
    </message>
    <message>
        <source>Engines</source>
        <translation>Engines</translation>
    </message>
    <message>
        <source>Downloads</source>
        <translation>Downloads</translation>
    </message>
</context>
<context>
    <name>ModelSlot</name>
    <message>
        <source>on this computer</source>
        <translation>auf diesem Computer</translation>
    </message>
    <message>
        <source>not downloaded</source>
        <translation>nicht heruntergeladen</translation>
    </message>
    <message>
        <source>{slot}: {model}</source>
        <translation>{slot}: {model}</translation>
    </message>
    <message>
        <source>Remove from the pair</source>
        <translation>Aus dem Paar nehmen</translation>
    </message>
</context>
<context>
    <name>ModelsLauncher</name>
    <message>
        <source>{names} downloaded</source>
        <translation>Heruntergeladen: {names}</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwenden</translation>
    </message>
    <message>
        <source>Couldn&apos;t download {names}: {reason}</source>
        <translation>{names} konnte nicht heruntergeladen werden: {reason}</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Anzeigen</translation>
    </message>
</context>
<context>
    <name>MouseController</name>
    <message>
        <source>Copy code</source>
        <translation>Code kopieren</translation>
    </message>
</context>
<context>
    <name>Names</name>
    <message>
        <source>{names} and {last}</source>
        <translation>{names} und {last}</translation>
    </message>
</context>
<context>
    <name>NextStepBar</name>
    <message>
        <source>Use settings that fit</source>
        <translation>Passende Einstellungen verwenden</translation>
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
    <name>NotificationController</name>
    <message>
        <source>Start a new chat.</source>
        <translation>Beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>The system prompt and the answer need the rest.</source>
        <translation>Den Rest brauchen Systemprompt und Antwort.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Answers are being saved again.</source>
        <translation>Antworten werden wieder gespeichert.</translation>
    </message>
    <message>
        <source>Continue without the GPU</source>
        <translation>Ohne GPU fortfahren</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Can&apos;t attach {name}: {reason}</source>
        <translation>{name} lässt sich nicht anhängen. {reason}</translation>
    </message>
    <message>
        <source>{n} more</source>
        <translation>{n} weitere</translation>
    </message>
    <message>
        <source>You can attach text, PDF, DOCX, XLSX, ODT, EPUB, HTML and CSV files, and folders with code.</source>
        <translation>Sie können Text-, PDF-, DOCX-, XLSX-, ODT-, EPUB-, HTML- und CSV-Dateien sowie Ordner mit Code anhängen.</translation>
    </message>
    <message>
        <source>You can attach documents, text files, folders with code, and pictures up to 20 MB.</source>
        <translation>Sie können Dokumente, Textdateien, Ordner mit Code und Bilder bis 20 MB anhängen.</translation>
    </message>
    <message>
        <source>You can attach documents, text files, folders with code, and recordings up to 50 MB.</source>
        <translation>Sie können Dokumente, Textdateien, Ordner mit Code und Aufnahmen bis 50 MB anhängen.</translation>
    </message>
    <message>
        <source>You can attach documents, text files, folders with code, pictures and recordings.</source>
        <translation>Sie können Dokumente, Textdateien, Ordner mit Code, Bilder und Aufnahmen anhängen.</translation>
    </message>
    <message>
        <source>Documents were searched by words only: {reason}</source>
        <translation>Dokumente wurden nur nach Wörtern durchsucht: {reason}</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>This model can&apos;t see pictures.</source>
        <translation>Dieses Modell kann keine Bilder sehen.</translation>
    </message>
    <message>
        <source>Choose a model that can see pictures.</source>
        <translation>Wählen Sie ein Modell, das Bilder sehen kann.</translation>
    </message>
    <message>
        <source>This model can&apos;t hear recordings.</source>
        <translation>Dieses Modell kann keine Aufnahmen hören.</translation>
    </message>
    <message>
        <source>Choose a model that can hear recordings.</source>
        <translation>Wählen Sie ein Modell, das Aufnahmen hören kann.</translation>
    </message>
    <message>
        <source>Shorten the chat, start a new one, or start the engine with a larger context.</source>
        <translation>Kürzen Sie den Chat, beginnen Sie einen neuen, oder starten Sie die Engine mit größerem Kontext.</translation>
    </message>
    <message>
        <source>Enter its key, or choose another model.</source>
        <translation>Geben Sie den Schlüssel ein, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Check which models the engine has, then choose another one.</source>
        <translation>Sehen Sie nach, welche Modelle die Engine hat, und wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>Load the model with a larger context, or start a new chat.</source>
        <translation>Laden Sie das Modell mit größerem Kontext, oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>Shorten the message or remove attachments.</source>
        <translation>Kürzen Sie die Nachricht, oder entfernen Sie Anhänge.</translation>
    </message>
    <message>
        <source>Shorten the message, remove attachments, or load the model with a larger context.</source>
        <translation>Kürzen Sie die Nachricht, entfernen Sie Anhänge, oder laden Sie das Modell mit größerem Kontext.</translation>
    </message>
</context>
<context>
    <name>PageFrame</name>
    <message>
        <source>Back (Esc)</source>
        <translation>Zurück (Esc)</translation>
    </message>
</context>
<context>
    <name>Pair</name>
    <message>
        <source>{draft} can&apos;t draft for {target}: {reason}</source>
        <translation>{draft} kann für {target} keine Vorschläge machen: {reason}</translation>
    </message>
    <message>
        <source>{target} runs without a draft. Choose another draft.</source>
        <translation>{target} läuft ohne Entwurf. Wählen Sie einen anderen Entwurf.</translation>
    </message>
    <message>
        <source>Checking {target}</source>
        <translation>{target} wird geprüft</translation>
    </message>
    <message>
        <source>Checking {draft}</source>
        <translation>{draft} wird geprüft</translation>
    </message>
    <message>
        <source>Loading {draft}</source>
        <translation>{draft} wird geladen</translation>
    </message>
    <message>
        <source>Running the exact-mode self-test</source>
        <translation>Selbsttest des exakten Modus läuft</translation>
    </message>
    <message>
        <source>Measuring speed</source>
        <translation>Geschwindigkeit wird gemessen</translation>
    </message>
    <message>
        <source>Loading {target}</source>
        <translation>{target} wird geladen</translation>
    </message>
    <message>
        <source>The current pair stays loaded.</source>
        <translation>Das aktuelle Paar bleibt geladen.</translation>
    </message>
    <message>
        <source>{target} was loaded without it.</source>
        <translation>{target} wurde ohne sie geladen.</translation>
    </message>
    <message>
        <source>The demo was loaded instead.</source>
        <translation>Stattdessen wurde die Demo geladen.</translation>
    </message>
    <message>
        <source>{name} wasn&apos;t found.</source>
        <translation>{name} wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>Download it again from Hugging Face, or choose another model.</source>
        <translation>Laden Sie es erneut von Hugging Face herunter, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Start its engine, or choose another model.</source>
        <translation>Starten Sie dessen Engine, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Put the file back in {folder} or connect its disk, or choose another model.</source>
        <translation>Legen Sie die Datei zurück in {folder} oder schließen Sie den Datenträger an, oder wählen Sie ein anderes Modell.</translation>
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
        <source>not loaded</source>
        <translation>nicht geladen</translation>
    </message>
    <message>
        <source>measuring {n} of {total}</source>
        <translation>Messung {n} von {total}</translation>
    </message>
    <message>
        <source>measuring</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>up to {n}</source>
        <translation>bis zu {n}</translation>
    </message>
    <message>
        <source>Model: {target}, served by {engine}.</source>
        <translation>Modell: {target}, angeboten von {engine}.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
    <message>
        <source>Target: {target}. Draft: {draft}.</source>
        <translation>Ziel: {target}. Entwurf: {draft}.</translation>
    </message>
    <message>
        <source>Opens the benchmark</source>
        <translation>Öffnet den Leistungstest</translation>
    </message>
    <message>
        <source>Not loaded until your next message.</source>
        <translation>Nicht geladen bis zur nächsten Nachricht.</translation>
    </message>
    <message>
        <source>Guesses per pass: {n}.</source>
        <translation>Vorschläge je Durchlauf: {n}.</translation>
    </message>
    <message>
        <source>Answers: {exactness}.</source>
        <translation>Antworten: {exactness}.</translation>
    </message>
    <message>
        <source>Answers one chat at a time: {reason}.</source>
        <translation>Beantwortet immer nur einen Chat: {reason}.</translation>
    </message>
    <message>
        <source>Choose models</source>
        <translation>Modelle wählen</translation>
    </message>
</context>
<context>
    <name>PairCard</name>
    <message>
        <source>Use this pair</source>
        <translation>Paar verwenden</translation>
    </message>
    <message>
        <source>Use {target} with {draft}</source>
        <translation>{target} mit {draft} verwenden</translation>
    </message>
    <message>
        <source>Remove pair from list</source>
        <translation>Paar aus der Liste entfernen</translation>
    </message>
    <message>
        <source>{target} with {draft}</source>
        <translation>{target} mit {draft}</translation>
    </message>
    <message>
        <source>No files are deleted.</source>
        <translation>Es werden keine Dateien gelöscht.</translation>
    </message>
</context>
<context>
    <name>PairController</name>
    <message>
        <source>{target} unloaded</source>
        <translation>{target} entladen</translation>
    </message>
    <message>
        <source>Load now</source>
        <translation>Jetzt laden</translation>
    </message>
    <message>
        <source>Loading stopped</source>
        <translation>Laden abgebrochen</translation>
    </message>
    <message>
        <source>Load without other machines</source>
        <translation>Ohne andere Computer laden</translation>
    </message>
    <message>
        <source>Reload {target}</source>
        <translation>{target} neu laden</translation>
    </message>
</context>
<context>
    <name>PairEditor</name>
    <message>
        <source>Find another draft</source>
        <translation>Anderen Entwurf suchen</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Find a draft</source>
        <translation>Entwurf suchen</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>Choose a target: the model that answers.</source>
        <translation>Wählen Sie ein Ziel: das Modell, das antwortet.</translation>
    </message>
    <message>
        <source>No speculation</source>
        <translation>Keine Vorschläge</translation>
    </message>
    <message>
        <source>Use without a draft</source>
        <translation>Ohne Entwurf verwenden</translation>
    </message>
    <message>
        <source>Draft (optional)</source>
        <translation>Entwurf (optional)</translation>
    </message>
    <message>
        <source>The target writes every token</source>
        <translation>Das Ziel schreibt jedes Token</translation>
    </message>
    <message>
        <source>No draft: guesses from earlier text</source>
        <translation>Kein Entwurf: Vorschläge aus früherem Text</translation>
    </message>
    <message>
        <source>Earlier text</source>
        <translation>Früherer Text</translation>
    </message>
    <message>
        <source>A draft is a small model of the same family that guesses ahead to save time.</source>
        <translation>Der Entwurf ist ein kleines Modell derselben Familie. Seine Vorschläge sparen Zeit.</translation>
    </message>
    <message>
        <source>Then choose a draft: a small model of the same family that guesses ahead.</source>
        <translation>Wählen Sie dann einen Entwurf: ein kleines Modell derselben Familie, das Vorschläge macht.</translation>
    </message>
    <message>
        <source>Selected pair</source>
        <translation>Gewähltes Paar</translation>
    </message>
</context>
<context>
    <name>PairEditorController</name>
    <message>
        <source>Estimating memory…</source>
        <translation>Speicherbedarf wird berechnet…</translation>
    </message>
    <message>
        <source>These models are incompatible. Choose another draft, or continue without one.</source>
        <translation>Diese Modelle passen nicht zusammen. Wählen Sie einen anderen Entwurf, oder machen Sie ohne Entwurf weiter.</translation>
    </message>
    <message>
        <source>Resolve the problem above to continue.</source>
        <translation>Beheben Sie das Problem oben, um fortzufahren.</translation>
    </message>
    <message>
        <source>The draft is not smaller than the target, so speculation will cost more time than it saves.</source>
        <translation>Der Entwurf ist nicht kleiner als das Ziel, also kosten Vorschläge mehr Zeit, als sie sparen.</translation>
    </message>
</context>
<context>
    <name>PairMemberCard</name>
    <message>
        <source>Use as target</source>
        <translation>Als Ziel verwenden</translation>
    </message>
    <message>
        <source>Use as draft</source>
        <translation>Als Entwurf verwenden</translation>
    </message>
    <message>
        <source>Use {name} as target</source>
        <translation>{name} als Ziel verwenden</translation>
    </message>
    <message>
        <source>Use {name} as draft</source>
        <translation>{name} als Entwurf verwenden</translation>
    </message>
</context>
<context>
    <name>PairOfferText</name>
    <message>
        <source>Draft: {name}</source>
        <translation>Entwurf: {name}</translation>
    </message>
    <message>
        <source>about {n} tokens/s with the draft</source>
        <translation>etwa {n} Token/s mit dem Entwurf</translation>
    </message>
    <message>
        <source>about 1 token/s with the draft</source>
        <translation>etwa 1 Token/s mit dem Entwurf</translation>
    </message>
    <message>
        <source>less than 1 token/s with the draft</source>
        <translation>weniger als 1 Token/s mit dem Entwurf</translation>
    </message>
    <message>
        <source>not downloaded</source>
        <translation>nicht heruntergeladen</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>auf diesem Computer</translation>
    </message>
    <message>
        <source>{size} to download (target already on this computer)</source>
        <translation>{size} herunterzuladen (das Ziel ist schon da)</translation>
    </message>
    <message>
        <source>{size} to download (draft already on this computer)</source>
        <translation>{size} herunterzuladen (der Entwurf ist schon da)</translation>
    </message>
    <message>
        <source>{size} to download</source>
        <translation>{size} herunterzuladen</translation>
    </message>
    <message>
        <source>guesses with its own MTP layers</source>
        <translation>schlägt mit eigenen MTP-Schichten vor</translation>
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
        <source>Doesn&apos;t fit</source>
        <translation>Passt nicht</translation>
    </message>
    <message>
        <source>Needs {size} of memory.</source>
        <translation>Braucht {size} Speicher.</translation>
    </message>
    <message>
        <source>The target is too small for an estimate. Run a benchmark to see whether speculation pays off.</source>
        <translation>Das Ziel ist zu klein für eine Schätzung. Ein Leistungstest zeigt, ob sich Vorschläge lohnen.</translation>
    </message>
    <message>
        <source>Estimate: {n}× as fast as the target alone, with {length} guesses per pass. This assumes that {rate} of them are accepted, as measured for this pair.</source>
        <translation>Geschätzt: {n}-mal so schnell wie das Ziel allein, mit {length} Vorschlägen je Durchlauf. Vorausgesetzt ist, dass {rate} davon angenommen werden, wie für dieses Paar gemessen.</translation>
    </message>
    <message>
        <source>Estimate: {n}× as fast as the target alone, with {length} guesses per pass. This assumes that {rate} of them are accepted, which is typical of such models.</source>
        <translation>Geschätzt: {n}-mal so schnell wie das Ziel allein, mit {length} Vorschlägen je Durchlauf. Vorausgesetzt ist, dass {rate} davon angenommen werden, wie bei solchen Modellen üblich.</translation>
    </message>
    <message>
        <source>Target: {reference}</source>
        <translation>Ziel: {reference}</translation>
    </message>
    <message>
        <source>Draft: {reference}</source>
        <translation>Entwurf: {reference}</translation>
    </message>
    <message>
        <source>Measured on this computer: {loss} slower than the target alone.</source>
        <translation>Auf diesem Computer gemessen: {loss} langsamer als das Ziel allein.</translation>
    </message>
    <message>
        <source>Measured on this computer: {n}× as fast as the target alone.</source>
        <translation>Auf diesem Computer gemessen: {n}-mal so schnell wie das Ziel allein.</translation>
    </message>
    <message>
        <source>{rate} of the guesses were accepted.</source>
        <translation>{rate} der Vorschläge wurden angenommen.</translation>
    </message>
    <message>
        <source>With {length} per pass, {rate} were accepted.</source>
        <translation>Je Durchlauf {length}; angenommen wurden {rate}.</translation>
    </message>
    <message>
        <source>In your chats, about {n}× as fast as the target alone.</source>
        <translation>In Ihren Chats etwa {n}-mal so schnell wie das Ziel allein.</translation>
    </message>
    <message>
        <source>In your chats, the draft didn&apos;t pay off: answers were no faster than with the target alone.</source>
        <translation>In Ihren Chats hat sich der Entwurf nicht gelohnt: Antworten waren nicht schneller als vom Ziel allein.</translation>
    </message>
    <message>
        <source>{first} and {second}</source>
        <translation>{first} und {second}</translation>
    </message>
</context>
<context>
    <name>PairOptions</name>
    <message>
        <source>Exact</source>
        <translation>Exakt</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Kontext</translation>
    </message>
    <message>
        <source>Target device</source>
        <translation>Gerät (Ziel)</translation>
    </message>
    <message>
        <source>Target GPU layers</source>
        <translation>GPU-Schichten (Ziel)</translation>
    </message>
    <message>
        <source>Draft device</source>
        <translation>Gerät (Entwurf)</translation>
    </message>
    <message>
        <source>Draft GPU layers</source>
        <translation>GPU-Schichten (Entwurf)</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>How many tokens of the chat the models can see.</source>
        <translation>Wie viele Token des Chats die Modelle sehen.</translation>
    </message>
    <message>
        <source>KV cache format. Half and quarter size take less memory, but are less precise.</source>
        <translation>Format des KV-Cache. Formate mit halber oder viertel Größe brauchen weniger Speicher, sind aber ungenauer.</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-Cache</translation>
    </message>
    <message>
        <source>How many tokens to guess per pass. auto: as many as pay off, from the draft and from earlier text. A number: always that many, from the draft only, even if it costs time.</source>
        <translation>Wie viele Token je Durchlauf vorgeschlagen werden. auto: so viele, wie sich lohnen, vom Entwurf und aus früherem Text. Eine Zahl: immer so viele, nur vom Entwurf, auch wenn das Zeit kostet.</translation>
    </message>
    <message>
        <source>Guesses per pass</source>
        <translation>Vorschläge je Durchlauf</translation>
    </message>
    <message>
        <source>How many chats can be answered at the same time; others wait. They share the context, except in exact mode, where each needs memory for its own. auto: 2, but 1 in exact mode, or if another one would need much more memory.</source>
        <translation>Wie viele Chats gleichzeitig beantwortet werden können; weitere warten. Sie teilen sich den Kontext, außer im exakten Modus, in dem jeder Speicher für einen eigenen braucht. auto: 2, aber 1 im exakten Modus oder wenn eine weitere Antwort viel mehr Speicher brauchen würde.</translation>
    </message>
    <message>
        <source>Answers at once</source>
        <translation>Gleichzeitige Antworten</translation>
    </message>
    <message>
        <source>CPU threads to use. auto: one per core.</source>
        <translation>Zahl der CPU-Threads. auto: einer je Kern.</translation>
    </message>
    <message>
        <source>Threads</source>
        <translation>Threads</translation>
    </message>
    <message>
        <source>The device that runs the target.</source>
        <translation>Das Gerät, auf dem das Ziel läuft.</translation>
    </message>
    <message>
        <source>How many layers of the target run on the GPU.</source>
        <translation>Wie viele Schichten des Ziels auf der GPU laufen.</translation>
    </message>
    <message>
        <source>Target layers on the GPU</source>
        <translation>Schichten des Ziels auf der GPU</translation>
    </message>
    <message>
        <source>The device that runs the draft.</source>
        <translation>Das Gerät, auf dem der Entwurf läuft.</translation>
    </message>
    <message>
        <source>How many layers of the draft run on the GPU.</source>
        <translation>Wie viele Schichten des Entwurfs auf der GPU laufen.</translation>
    </message>
    <message>
        <source>Draft layers on the GPU</source>
        <translation>Schichten des Entwurfs auf der GPU</translation>
    </message>
    <message>
        <source>With or without a draft, the target decides every token. But checking several tokens at once rounds differently than one at a time, which can change the choice between two almost equally likely tokens. Exact prevents this: the answer is identical token for token, and a self-test checks this on this computer.</source>
        <translation>Mit oder ohne Entwurf entscheidet das Ziel über jedes Token. Mehrere Token auf einmal zu prüfen rundet aber anders als eines nach dem anderen, und das kann die Wahl zwischen zwei fast gleich wahrscheinlichen Token ändern. „Exakt“ verhindert das: Die Antwort ist Token für Token dieselbe, und ein Selbsttest prüft das auf diesem Computer.</translation>
    </message>
    <message>
        <source>Same tokens as without a draft, checked by a self-test. Slightly slower.</source>
        <translation>Dieselben Token wie ohne Entwurf, per Selbsttest geprüft. Etwas langsamer.</translation>
    </message>
    <message>
        <source>How many chats are answered at the same time.</source>
        <translation>Wie viele Chats zugleich beantwortet werden.</translation>
    </message>
</context>
<context>
    <name>PairPicker</name>
    <message>
        <source>Target</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Draft</source>
        <translation>Entwurf</translation>
    </message>
    <message>
        <source>{name} no longer exists. It stays loaded until you load another pair.</source>
        <translation>{name} gibt es nicht mehr. Es bleibt geladen, bis Sie ein anderes Paar laden.</translation>
    </message>
    <message>
        <source>Looking for drafts…</source>
        <translation>Entwürfe werden gesucht…</translation>
    </message>
    <message>
        <source>{name} wasn&apos;t found.</source>
        <translation>{name} wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>No models yet. Find a pair that fits this computer, or add GGUF files: a model that answers, and a smaller one of the same family that makes it faster.</source>
        <translation>Noch keine Modelle. Suchen Sie ein Paar, das zu diesem Computer passt, oder fügen Sie GGUF-Dateien hinzu: ein Modell, das antwortet, und ein kleineres derselben Familie, das es schneller macht.</translation>
    </message>
    <message>
        <source>Choose models</source>
        <translation>Modelle wählen</translation>
    </message>
</context>
<context>
    <name>PairProblemCard</name>
    <message>
        <source>Open license page</source>
        <translation>Lizenzseite öffnen</translation>
    </message>
    <message>
        <source>Add access token…</source>
        <translation>Zugriffstoken hinzufügen…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
</context>
<context>
    <name>PairsPane</name>
    <message>
        <source>Only pairs that fit</source>
        <translation>Nur passende Paare</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Alle anzeigen</translation>
    </message>
    <message>
        <source>Add a pair…</source>
        <translation>Paar hinzufügen…</translation>
    </message>
    <message>
        <source>Looking for pairs that fit this computer…</source>
        <translation>Paare für diesen Computer werden gesucht…</translation>
    </message>
    <message>
        <source>Looking up files on Hugging Face…</source>
        <translation>Dateien werden auf Hugging Face gesucht…</translation>
    </message>
    <message>
        <source>All known pairs need more memory than this computer has.</source>
        <translation>Alle bekannten Paare brauchen mehr Speicher, als dieser Computer hat.</translation>
    </message>
    <message>
        <source>No pairs fit this computer</source>
        <translation>Kein Paar passt zu diesem Computer</translation>
    </message>
    <message>
        <source>No matching pairs</source>
        <translation>Keine passenden Paare</translation>
    </message>
    <message>
        <source>Add your own: a target and a smaller draft of the same family.</source>
        <translation>Fügen Sie ein eigenes hinzu: ein Ziel und einen kleineren Entwurf derselben Familie.</translation>
    </message>
    <message>
        <source>No known pairs</source>
        <translation>Keine bekannten Paare</translation>
    </message>
    <message>
        <source>1 pair</source>
        <translation>1 Paar</translation>
    </message>
    <message>
        <source>{all} pairs</source>
        <translation>{all} Paare</translation>
    </message>
    <message>
        <source>{shown} of {all} pairs</source>
        <translation>{shown} von {all} Paaren</translation>
    </message>
    <message>
        <source>{shown} of {all} pairs · 1 is too large for this computer</source>
        <translation>{shown} von {all} Paaren · 1 ist zu groß für diesen Computer</translation>
    </message>
    <message>
        <source>{shown} of {all} pairs · {too_large} are too large for this computer</source>
        <translation>{shown} von {all} Paaren · {too_large} sind zu groß für diesen Computer</translation>
    </message>
    <message>
        <source>{pairs} · still searching…</source>
        <translation>{pairs} · Suche läuft noch…</translation>
    </message>
    <message>
        <source>On this computer, without a draft</source>
        <translation>Auf diesem Computer, ohne Entwurf</translation>
    </message>
    <message>
        <source>On this computer, with MTP layers</source>
        <translation>Auf diesem Computer, mit MTP-Schichten</translation>
    </message>
    <message>
        <source>Pairs for this computer</source>
        <translation>Paare für diesen Computer</translation>
    </message>
    <message>
        <source>Filter pairs</source>
        <translation>Paare filtern</translation>
    </message>
</context>
<context>
    <name>PickerButtons</name>
    <message>
        <source>Find models…</source>
        <translation>Modelle suchen…</translation>
    </message>
    <message>
        <source>Add a GGUF file…</source>
        <translation>Datei hinzufügen…</translation>
    </message>
    <message>
        <source>Benchmark…</source>
        <translation>Leistungstest…</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
    <message>
        <source>To measure another engine, use the command specchat bench --engine.</source>
        <translation>Andere Engines werden mit dem Befehl specchat bench --engine gemessen.</translation>
    </message>
    <message>
        <source>Stop and load</source>
        <translation>Stoppen, laden</translation>
    </message>
    <message>
        <source>Loading may fail or be very slow. To save memory, use a smaller context, KV cache, or model.</source>
        <translation>Das Laden kann scheitern oder sehr lange dauern. Um Speicher zu sparen, wählen Sie einen kleineren Kontext, KV-Cache oder ein kleineres Modell.</translation>
    </message>
    <message>
        <source>This stops {n} answers.</source>
        <translation>Das beendet {n} Antworten.</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>Neu laden</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>This stops the current answer.</source>
        <translation>Das beendet die laufende Antwort.</translation>
    </message>
    <message>
        <source>Run a benchmark to see how fast this pair is.</source>
        <translation>Ein Leistungstest zeigt, wie schnell dieses Paar ist.</translation>
    </message>
</context>
<context>
    <name>PictureViewer</name>
    <message>
        <source>Previous picture (Left)</source>
        <translation>Voriges Bild (Links)</translation>
    </message>
    <message>
        <source>Next picture (Right)</source>
        <translation>Nächstes Bild (Rechts)</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern als…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Picture</source>
        <translation>Bild</translation>
    </message>
    <message>
        <source>{name} ({n} of {count})</source>
        <translation>{name} ({n} von {count})</translation>
    </message>
    <message>
        <source>{width} × {height} pixels</source>
        <translation>{width} × {height} Pixel</translation>
    </message>
    <message>
        <source>This picture is damaged.</source>
        <translation>Dieses Bild ist beschädigt.</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>Bild speichern</translation>
    </message>
</context>
<context>
    <name>PlacementFields</name>
    <message>
        <source>Automatic</source>
        <translation>Automatisch</translation>
    </message>
    <message>
        <source> of {n}</source>
        <translation> von {n}</translation>
    </message>
</context>
<context>
    <name>PrefillLine</name>
    <message>
        <source>Answer starts with</source>
        <translation>Antwort beginnt mit</translation>
    </message>
    <message>
        <source>Start of the answer</source>
        <translation>Anfang der Antwort</translation>
    </message>
    <message>
        <source>The target continues from these words.</source>
        <translation>Das Ziel schreibt nach diesen Worten weiter.</translation>
    </message>
    <message>
        <source>Remove the start of the answer</source>
        <translation>Anfang der Antwort entfernen</translation>
    </message>
</context>
<context>
    <name>PresetBar</name>
    <message>
        <source>Save as…</source>
        <translation>Speichern als…</translation>
    </message>
    <message>
        <source>Delete preset</source>
        <translation>Vorlage löschen</translation>
    </message>
    <message>
        <source>Preset</source>
        <translation>Vorlage</translation>
    </message>
    <message>
        <source>Custom</source>
        <translation>Benutzerdefiniert</translation>
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
        <source>Save preset</source>
        <translation>Vorlage speichern</translation>
    </message>
    <message>
        <source>Preset name</source>
        <translation>Name der Vorlage</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Built-in presets can&apos;t be replaced. Choose another name.</source>
        <translation>Mitgelieferte Vorlagen lassen sich nicht ersetzen. Wählen Sie einen anderen Namen.</translation>
    </message>
</context>
<context>
    <name>ProgressStrip</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Waiting for the models</source>
        <translation>Warten auf die Modelle</translation>
    </message>
    <message>
        <source>The current answer will finish first.</source>
        <translation>Die laufende Antwort wird erst fertiggestellt.</translation>
    </message>
    <message>
        <source>Answer {n} of {total}</source>
        <translation>Antwort {n} von {total}</translation>
    </message>
    <message>
        <source>{time} left</source>
        <translation>noch {time}</translation>
    </message>
    <message>
        <source>Loading the models…</source>
        <translation>Die Modelle werden geladen…</translation>
    </message>
    <message>
        <source>Now: {way}</source>
        <translation>Jetzt: {way}</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>Wird beendet…</translation>
    </message>
    <message>
        <source>The results so far are kept.</source>
        <translation>Die bisherigen Ergebnisse bleiben erhalten.</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
</context>
<context>
    <name>ProjectController</name>
    <message>
        <source>New project</source>
        <translation>Neues Projekt</translation>
    </message>
    <message>
        <source>Chat moved out of its project</source>
        <translation>Chat aus dem Projekt entfernt</translation>
    </message>
    <message>
        <source>{n} chats moved out of their projects</source>
        <translation>{n} Chats aus ihren Projekten entfernt</translation>
    </message>
    <message>
        <source>Chat moved to {project}</source>
        <translation>Chat nach {project} verschoben</translation>
    </message>
    <message>
        <source>{n} chats moved to {project}</source>
        <translation>{n} Chats nach {project} verschoben</translation>
    </message>
</context>
<context>
    <name>ProjectDialog</name>
    <message>
        <source>Add files…</source>
        <translation>Dateien hinzufügen…</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Whatever is loaded</source>
        <translation>Was gerade geladen ist</translation>
    </message>
    <message>
        <source>Couldn&apos;t add {name}. {reason}</source>
        <translation>{name} konnte nicht hinzugefügt werden. {reason}</translation>
    </message>
    <message>
        <source>Pictures can&apos;t be added to a project. Attach them to a message.</source>
        <translation>Einem Projekt können keine Bilder hinzugefügt werden. Hängen Sie sie an eine Nachricht an.</translation>
    </message>
    <message>
        <source>Project settings</source>
        <translation>Projekteinstellungen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Systemprompt</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Comes before the system prompt of each chat.</source>
        <translation>Steht vor dem Systemprompt jedes Chats.</translation>
    </message>
    <message>
        <source>Offered when you open a chat of this project.</source>
        <translation>Werden angeboten, wenn Sie einen Chat dieses Projekts öffnen.</translation>
    </message>
    <message>
        <source>Every chat of the project reads them.</source>
        <translation>Jeder Chat des Projekts liest sie.</translation>
    </message>
    <message>
        <source>Files</source>
        <translation>Dateien</translation>
    </message>
</context>
<context>
    <name>ProjectMenu</name>
    <message>
        <source>New chat in project</source>
        <translation>Neuer Chat im Projekt</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Project settings…</source>
        <translation>Projekteinstellungen…</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>Löschen…</translation>
    </message>
</context>
<context>
    <name>ProjectSettingsController</name>
    <message>
        <source>{target}, no speculation</source>
        <translation>{target}, ohne Vorschläge</translation>
    </message>
    <message>
        <source>{project} uses {pair}</source>
        <translation>{project} verwendet {pair}</translation>
    </message>
    <message>
        <source>Load</source>
        <translation>Laden</translation>
    </message>
</context>
<context>
    <name>PromptPopup</name>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Your prompt library is empty.</source>
        <translation>Noch keine Prompts.</translation>
    </message>
    <message>
        <source>Manage prompts…</source>
        <translation>Prompts verwalten…</translation>
    </message>
    <message>
        <source>Add a prompt…</source>
        <translation>Hinzufügen…</translation>
    </message>
</context>
<context>
    <name>PromptsBox</name>
    <message>
        <source>Choose a file…</source>
        <translation>Datei wählen…</translation>
    </message>
    <message>
        <source>Your last {n} questions, each without its chat history.</source>
        <translation>Ihre letzten {n} Fragen, jede ohne ihren Chatverlauf.</translation>
    </message>
    <message>
        <source>Your last question, without its chat history.</source>
        <translation>Ihre letzte Frage, ohne ihren Chatverlauf.</translation>
    </message>
    <message>
        <source>Your chats contain no questions yet.</source>
        <translation>In Ihren Chats gibt es noch keine Fragen.</translation>
    </message>
    <message>
        <source>{name} · {n} prompts</source>
        <translation>{name} · {n} Prompts</translation>
    </message>
    <message>
        <source>{name} · 1 prompt</source>
        <translation>{name} · 1 Prompt</translation>
    </message>
    <message>
        <source>Choose a prompt file</source>
        <translation>Prompt-Datei wählen</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Prompts (*.jsonl *.txt *.md)</source>
        <translation>Prompts (*.jsonl *.txt *.md)</translation>
    </message>
    <message>
        <source>Prompts</source>
        <translation>Prompts</translation>
    </message>
    <message>
        <source>Built-in prompts</source>
        <translation>Mitgelieferte Prompts</translation>
    </message>
    <message>
        <source>My recent questions</source>
        <translation>Meine letzten Fragen</translation>
    </message>
    <message>
        <source>Prompt file</source>
        <translation>Prompt-Datei</translation>
    </message>
    <message>
        <source>A text file with one prompt per line, or JSONL.</source>
        <translation>Eine Textdatei mit einem Prompt je Zeile, oder JSONL.</translation>
    </message>
</context>
<context>
    <name>Question</name>
    <message>
        <source>You can download it again from Hugging Face.</source>
        <translation>Sie können es erneut von Hugging Face herunterladen.</translation>
    </message>
    <message>
        <source>You can make it again from its target.</source>
        <translation>Es lässt sich aus seinem Ziel neu erstellen.</translation>
    </message>
    <message>
        <source>It is loaded now. You can use it until it is unloaded.</source>
        <translation>Es ist gerade geladen. Sie können es benutzen, bis es entladen wird.</translation>
    </message>
    <message>
        <source>Delete {name}?</source>
        <translation>{name} löschen?</translation>
    </message>
    <message>
        <source>Delete the file ({size})</source>
        <translation>Datei löschen ({size})</translation>
    </message>
    <message>
        <source>Remove {name} from the list?</source>
        <translation>{name} aus der Liste entfernen?</translation>
    </message>
    <message>
        <source>Remove from list</source>
        <translation>Aus der Liste entfernen</translation>
    </message>
</context>
<context>
    <name>QuitQuestion</name>
    <message>
        <source>You are still editing a message.</source>
        <translation>Sie bearbeiten noch eine Nachricht.</translation>
    </message>
    <message>
        <source>If you quit now, your changes will be lost.</source>
        <translation>Wenn Sie jetzt beenden, gehen Ihre Änderungen verloren.</translation>
    </message>
    <message>
        <source>An answer isn&apos;t saved.</source>
        <translation>Eine Antwort ist nicht gespeichert.</translation>
    </message>
    <message>
        <source>The unsent message isn&apos;t saved.</source>
        <translation>Die nicht gesendete Nachricht ist nicht gespeichert.</translation>
    </message>
    <message>
        <source>An answer and the unsent message aren&apos;t saved.</source>
        <translation>Eine Antwort und die nicht gesendete Nachricht sind nicht gespeichert.</translation>
    </message>
    <message>
        <source>{reason} If you quit now, what isn&apos;t saved will be lost.</source>
        <translation>{reason} Wenn Sie jetzt beenden, geht verloren, was nicht gespeichert ist.</translation>
    </message>
    <message>
        <source>Quit anyway</source>
        <translation>Trotzdem beenden</translation>
    </message>
</context>
<context>
    <name>ReadingLine</name>
    <message>
        <source>Stop reading</source>
        <translation>Lesen abbrechen</translation>
    </message>
    <message>
        <source>Reading {name}…</source>
        <translation>{name} wird gelesen…</translation>
    </message>
    <message>
        <source>Reading {n} documents…</source>
        <translation>{n} Dokumente werden gelesen…</translation>
    </message>
</context>
<context>
    <name>Recordings</name>
    <message>
        <source>Couldn&apos;t open the recording with another program.</source>
        <translation>Die Aufnahme konnte nicht mit einem anderen Programm geöffnet werden.</translation>
    </message>
    <message>
        <source>Recording</source>
        <translation>Aufnahme</translation>
    </message>
</context>
<context>
    <name>Remedy</name>
    <message>
        <source>Use a smaller context…</source>
        <translation>Kleineren Kontext verwenden…</translation>
    </message>
    <message>
        <source>Use a larger context…</source>
        <translation>Größeren Kontext verwenden…</translation>
    </message>
    <message>
        <source>Choose another model…</source>
        <translation>Anderes Modell wählen…</translation>
    </message>
    <message>
        <source>Choose another draft…</source>
        <translation>Anderen Entwurf wählen…</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Enter the key…</source>
        <translation>Schlüssel eingeben…</translation>
    </message>
</context>
<context>
    <name>RepeatedAnswers</name>
    <message>
        <source>The answer is the same because the temperature is 0.</source>
        <translation>Die Antwort ist dieselbe, weil die Temperatur 0 ist.</translation>
    </message>
    <message>
        <source>The answer is the same because the seed is fixed.</source>
        <translation>Die Antwort ist dieselbe, weil der Startwert fest ist.</translation>
    </message>
    <message>
        <source>The answer is the same with and without speculation.</source>
        <translation>Die Antwort ist mit und ohne Vorschläge dieselbe.</translation>
    </message>
    <message>
        <source>The answer is the same with another draft.</source>
        <translation>Die Antwort ist mit einem anderen Entwurf dieselbe.</translation>
    </message>
</context>
<context>
    <name>ReplyTableModel</name>
    <message>
        <source>Answer</source>
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
        <source>Guessed</source>
        <translation>Vorgeschlagen</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Angenommen</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Guesses up to the point that the answer reached. Later guesses can&apos;t be judged.</source>
        <translation>Vorschläge bis zu der Stelle, die die Antwort erreicht hat. Spätere lassen sich nicht beurteilen.</translation>
    </message>
    <message>
        <source>All answers</source>
        <translation>Alle Antworten</translation>
    </message>
    <message>
        <source>Drafter</source>
        <translation>Vorschlagsart</translation>
    </message>
    <message>
        <source>Checked</source>
        <translation>Geprüft</translation>
    </message>
    <message>
        <source>Tokens/pass</source>
        <translation>Token/Lauf</translation>
    </message>
    <message>
        <source>All tokens in the answer, including those that the target chose without a guess.</source>
        <translation>Alle Token der Antwort, auch die, die das Ziel ohne Vorschlag gewählt hat.</translation>
    </message>
    <message>
        <source>Guesses sent to the target for verification.</source>
        <translation>Vorschläge, die das Ziel geprüft hat.</translation>
    </message>
    <message>
        <source>Accepted guesses, and their share of all guesses.</source>
        <translation>Angenommene Vorschläge und ihr Anteil an allen Vorschlägen.</translation>
    </message>
</context>
<context>
    <name>ReportSaver</name>
    <message>
        <source>Save as image</source>
        <translation>Als Bild speichern</translation>
    </message>
    <message>
        <source>Image (*.png)</source>
        <translation>Bild (*.png)</translation>
    </message>
    <message>
        <source>All results (*.json)</source>
        <translation>Alle Ergebnisse (*.json)</translation>
    </message>
    <message>
        <source>One row per answer (*.csv)</source>
        <translation>Eine Zeile je Antwort (*.csv)</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>Exportieren</translation>
    </message>
</context>
<context>
    <name>ResultsView</name>
    <message>
        <source>Save as image…</source>
        <translation>Als Bild speichern…</translation>
    </message>
    <message>
        <source>Export… (JSON, CSV)</source>
        <translation>Exportieren… (JSON, CSV)</translation>
    </message>
    <message>
        <source>Choose what to compare, then click Start. The target answers the same prompts with and without each draft, and the results show what is fastest on this computer.</source>
        <translation>Wählen Sie, was verglichen wird, und klicken Sie auf „Starten“. Das Ziel beantwortet dieselben Prompts mit und ohne jeden Entwurf, und die Ergebnisse zeigen, was auf diesem Computer am schnellsten ist.</translation>
    </message>
    <message>
        <source>Measuring</source>
        <translation>Messung läuft</translation>
    </message>
    <message>
        <source>All methods take turns on each prompt so that background load affects them equally. For the best results, leave the computer idle. Your pair reloads afterward.</source>
        <translation>Alle Methoden wechseln sich bei jedem Prompt ab, damit Hintergrundlast sie gleich trifft. Am besten benutzen Sie den Computer währenddessen nicht. Ihr Paar wird danach neu geladen.</translation>
    </message>
    <message>
        <source>Saved as {name}</source>
        <translation>Gespeichert als {name}</translation>
    </message>
    <message>
        <source>How much does speculation help?</source>
        <translation>Wie viel bringen Vorschläge?</translation>
    </message>
    <message>
        <source>Use {way}</source>
        <translation>{way} verwenden</translation>
    </message>
    <message>
        <source>Chat without speculation</source>
        <translation>Ohne Vorschläge chatten</translation>
    </message>
    <message>
        <source>Stopped after {n} of {total} answers. The results cover only these answers.</source>
        <translation>Nach {n} von {total} Antworten vorzeitig beendet. Die Ergebnisse gelten nur für diese Antworten.</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>Ergebnisse</translation>
    </message>
</context>
<context>
    <name>Said</name>
    <message>
        <source>1 of {all} answers was slower than plain decoding.</source>
        <translation>1 von {all} Antworten war langsamer als ohne Vorschläge.</translation>
    </message>
    <message>
        <source>A benchmark is running.</source>
        <translation>Ein Leistungstest läuft.</translation>
    </message>
    <message>
        <source>{longest} guesses per pass is too many.</source>
        <translation>{longest} Vorschläge je Durchlauf sind zu viele.</translation>
    </message>
    <message>
        <source>Slightly smaller than Q4_K with similar quality. Slower on CPU.</source>
        <translation>Etwas kleiner als Q4_K bei ähnlicher Qualität. Auf der CPU langsamer.</translation>
    </message>
    <message>
        <source>{name} was written by a newer version of specchat.</source>
        <translation>{name} stammt von einer neueren Version von specchat.</translation>
    </message>
    <message>
        <source>A part of specchat is missing: {mistake}</source>
        <translation>Ein Teil von specchat fehlt: {mistake}</translation>
    </message>
    <message>
        <source>A preset needs a name.</source>
        <translation>Eine Vorlage braucht einen Namen.</translation>
    </message>
    <message>
        <source>A single chat can contain at most {n} million JSON values.</source>
        <translation>Ein einzelner Chat darf höchstens {n} Millionen JSON-Werte enthalten.</translation>
    </message>
    <message>
        <source>A single chat can be at most {n} MB.</source>
        <translation>Ein einzelner Chat darf höchstens {n} MB groß sein.</translation>
    </message>
    <message>
        <source>Another program is downloading {file}.</source>
        <translation>Ein anderes Programm lädt {file} gerade herunter.</translation>
    </message>
    <message>
        <source>Another program is using {path}.</source>
        <translation>Ein anderes Programm benutzt {path}.</translation>
    </message>
    <message>
        <source>Smallest possible. Only usable with very large models.</source>
        <translation>So klein wie möglich. Nur mit sehr großen Modellen brauchbar.</translation>
    </message>
    <message>
        <source>Try again in a moment.</source>
        <translation>Versuchen Sie es gleich noch einmal.</translation>
    </message>
    <message>
        <source>Try again when it has finished.</source>
        <translation>Versuchen Sie es erneut, wenn er fertig ist.</translation>
    </message>
    <message>
        <source>Try again when a model has loaded.</source>
        <translation>Versuchen Sie es erneut, wenn ein Modell geladen ist.</translation>
    </message>
    <message>
        <source>Send a message in the window first.</source>
        <translation>Senden Sie zuerst im Fenster eine Nachricht.</translation>
    </message>
    <message>
        <source>Send a message to load it.</source>
        <translation>Senden Sie eine Nachricht, um es zu laden.</translation>
    </message>
    <message>
        <source>Send the request without tools, or choose another model.</source>
        <translation>Senden Sie die Anfrage ohne Werkzeuge, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>The limit is {n} MB.</source>
        <translation>Die Grenze liegt bei {n} MB.</translation>
    </message>
    <message>
        <source>A pass can have at most {n} guesses.</source>
        <translation>Ein Durchlauf kann höchstens {n} Vorschläge haben.</translation>
    </message>
    <message>
        <source>Restore it, or continue from another message.</source>
        <translation>Stellen Sie sie wieder her, oder machen Sie bei einer anderen Nachricht weiter.</translation>
    </message>
    <message>
        <source>Build or download llama-server, and pass its path with --peer.</source>
        <translation>Bauen Sie llama-server, oder laden Sie es herunter, und geben Sie den Pfad mit --peer an.</translation>
    </message>
    <message>
        <source>Change that part of the schema.</source>
        <translation>Ändern Sie diesen Teil des Schemas.</translation>
    </message>
    <message>
        <source>Change its permissions, or choose another file.</source>
        <translation>Ändern Sie ihre Zugriffsrechte, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>Check HF_ENDPOINT and your proxy settings.</source>
        <translation>Prüfen Sie HF_ENDPOINT und Ihre Proxy-Einstellungen.</translation>
    </message>
    <message>
        <source>Check HF_ENDPOINT, and whether this network requires you to log in first.</source>
        <translation>Prüfen Sie HF_ENDPOINT, und ob dieses Netz zuerst eine Anmeldung verlangt.</translation>
    </message>
    <message>
        <source>Check HF_ENDPOINT, or try again later.</source>
        <translation>Prüfen Sie HF_ENDPOINT, oder versuchen Sie es später erneut.</translation>
    </message>
    <message>
        <source>Check SPECCHAT_HOME.</source>
        <translation>Prüfen Sie SPECCHAT_HOME.</translation>
    </message>
    <message>
        <source>Check the proxy settings.</source>
        <translation>Prüfen Sie die Proxy-Einstellungen.</translation>
    </message>
    <message>
        <source>Check that you have permission to read and write this file.</source>
        <translation>Prüfen Sie, ob Sie diese Datei lesen und schreiben dürfen.</translation>
    </message>
    <message>
        <source>Check your connection, then try again.</source>
        <translation>Prüfen Sie Ihre Verbindung, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Check the disk and the folder&apos;s permissions, or set HF_HOME to another folder.</source>
        <translation>Prüfen Sie den Datenträger und die Zugriffsrechte des Ordners, oder setzen Sie HF_HOME auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Check the disk&apos;s free space and permissions.</source>
        <translation>Prüfen Sie freien Platz und Zugriffsrechte des Datenträgers.</translation>
    </message>
    <message>
        <source>Check the disk&apos;s free space and connection.</source>
        <translation>Prüfen Sie freien Platz und Anschluss des Datenträgers.</translation>
    </message>
    <message>
        <source>Check the name. For a private model, create a token at {tokens} and enter it in Settings &gt; Hugging Face, or set HF_TOKEN.</source>
        <translation>Prüfen Sie den Namen. Für ein privates Modell erstellen Sie unter {tokens} ein Zugriffstoken und geben es unter Einstellungen &gt; Hugging Face ein, oder setzen Sie HF_TOKEN.</translation>
    </message>
    <message>
        <source>Check the name. For a private model, check the token&apos;s permissions at {tokens}.</source>
        <translation>Prüfen Sie den Namen, bei einem privaten Modell auch die Rechte des Zugriffstokens unter {tokens}.</translation>
    </message>
    <message>
        <source>Check the path and the disk.</source>
        <translation>Prüfen Sie Pfad und Datenträger.</translation>
    </message>
    <message>
        <source>Check the path, or add the model again.</source>
        <translation>Prüfen Sie den Pfad, oder fügen Sie das Modell erneut hinzu.</translation>
    </message>
    <message>
        <source>Check the path.</source>
        <translation>Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>Check the token&apos;s permissions at {tokens}.</source>
        <translation>Prüfen Sie die Rechte des Zugriffstokens unter {tokens}.</translation>
    </message>
    <message>
        <source>Check this computer&apos;s clock. On a company network, make sure that its certificate is installed on this computer.</source>
        <translation>Prüfen Sie die Uhr dieses Computers. In einem Firmennetz muss dessen Zertifikat auf diesem Computer installiert sein.</translation>
    </message>
    <message>
        <source>Check its permissions.</source>
        <translation>Prüfen Sie die Zugriffsrechte.</translation>
    </message>
    <message>
        <source>1 answer was shorter than {least} tokens and is not counted.</source>
        <translation>1 Antwort war kürzer als {least} Token und zählt nicht mit.</translation>
    </message>
    <message>
        <source>Check that the engine is running, then continue the answer.</source>
        <translation>Prüfen Sie, ob die Engine läuft, und setzen Sie die Antwort dann fort.</translation>
    </message>
    <message>
        <source>Check the names and numbers on the model cards.</source>
        <translation>Prüfen Sie Namen und Zahlen anhand der Modellkarten.</translation>
    </message>
    <message>
        <source>Check the permissions of this file and its folder, or set SPECCHAT_HOME to another folder.</source>
        <translation>Prüfen Sie die Zugriffsrechte dieser Datei und ihres Ordners, oder setzen Sie SPECCHAT_HOME auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Choose a .gguf file inside it.</source>
        <translation>Wählen Sie eine .gguf-Datei darin.</translation>
    </message>
    <message>
        <source>Choose a .gguf file.</source>
        <translation>Wählen Sie eine .gguf-Datei.</translation>
    </message>
    <message>
        <source>Choose a draft from the target&apos;s family, or use none.</source>
        <translation>Wählen Sie einen Entwurf aus der Familie des Ziels, oder verwenden Sie keinen.</translation>
    </message>
    <message>
        <source>Choose a folder that contains .gguf files.</source>
        <translation>Wählen Sie einen Ordner mit .gguf-Dateien.</translation>
    </message>
    <message>
        <source>Choose a model file with a working chat template (--raw needs none).</source>
        <translation>Wählen Sie eine Modelldatei mit brauchbarer Chat-Vorlage (--raw braucht keine).</translation>
    </message>
    <message>
        <source>Choose a model file.</source>
        <translation>Wählen Sie eine Modelldatei.</translation>
    </message>
    <message>
        <source>Choose a pair first.</source>
        <translation>Wählen Sie zuerst ein Paar.</translation>
    </message>
    <message>
        <source>Choose a port above 1023 (--port).</source>
        <translation>Wählen Sie einen Port über 1023 (--port).</translation>
    </message>
    <message>
        <source>Choose a smaller model, or close other programs.</source>
        <translation>Wählen Sie ein kleineres Modell, oder schließen Sie andere Programme.</translation>
    </message>
    <message>
        <source>Choose a text generation model.</source>
        <translation>Wählen Sie ein Modell, das Text erzeugt.</translation>
    </message>
    <message>
        <source>Choose another chat.</source>
        <translation>Wählen Sie einen anderen Chat.</translation>
    </message>
    <message>
        <source>Choose another draft.</source>
        <translation>Wählen Sie einen anderen Entwurf.</translation>
    </message>
    <message>
        <source>Choose another file. This one is damaged. If you downloaded it, download it again.</source>
        <translation>Wählen Sie eine andere Datei. Diese ist beschädigt. Wenn Sie sie heruntergeladen haben, laden Sie sie neu herunter.</translation>
    </message>
    <message>
        <source>Choose another folder, or free up some space.</source>
        <translation>Wählen Sie einen anderen Ordner, oder schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>Choose another folder.</source>
        <translation>Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Choose another message.</source>
        <translation>Wählen Sie eine andere Nachricht.</translation>
    </message>
    <message>
        <source>Choose another model file.</source>
        <translation>Wählen Sie eine andere Modelldatei.</translation>
    </message>
    <message>
        <source>Choose another model, or check the token&apos;s permissions at {tokens}.</source>
        <translation>Wählen Sie ein anderes Modell, oder prüfen Sie die Rechte des Zugriffstokens unter {tokens}.</translation>
    </message>
    <message>
        <source>Choose another model.</source>
        <translation>Wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Choose another name.</source>
        <translation>Wählen Sie einen anderen Namen.</translation>
    </message>
    <message>
        <source>Choose another pair, or search Hugging Face.</source>
        <translation>Wählen Sie ein anderes Paar, oder suchen Sie auf Hugging Face.</translation>
    </message>
    <message>
        <source>Choose another repository.</source>
        <translation>Wählen Sie ein anderes Repository.</translation>
    </message>
    <message>
        <source>Choose the first part, ending in {suffix}.</source>
        <translation>Wählen Sie den ersten Teil, der auf {suffix} endet.</translation>
    </message>
    <message>
        <source>Choose one from {page}.</source>
        <translation>Wählen Sie eine von {page}.</translation>
    </message>
    <message>
        <source>Choose one of these: {names}</source>
        <translation>Möglich sind: {names}</translation>
    </message>
    <message>
        <source>Choose one of these: {known}.</source>
        <translation>Möglich sind: {known}.</translation>
    </message>
    <message>
        <source>Close it and try again.</source>
        <translation>Schließen Sie es, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Close it first, or choose another file with --out.</source>
        <translation>Schließen Sie es zuerst, oder nennen Sie mit --out eine andere Datei.</translation>
    </message>
    <message>
        <source>Close other programs that use it, or move it yourself.</source>
        <translation>Schließen Sie andere Programme, die die Datei benutzen, oder verschieben Sie sie selbst.</translation>
    </message>
    <message>
        <source>Continue the answer, or ask again.</source>
        <translation>Setzen Sie die Antwort fort, oder fragen Sie noch einmal.</translation>
    </message>
    <message>
        <source>Copy the whole token again, or create a new one.</source>
        <translation>Kopieren Sie das ganze Zugriffstoken erneut, oder erstellen Sie ein neues.</translation>
    </message>
    <message>
        <source>Copy it again. Most tokens start with hf_.</source>
        <translation>Kopieren Sie es erneut. Die meisten Zugriffstoken beginnen mit hf_.</translation>
    </message>
    <message>
        <source>Correct or unset HF_ENDPOINT.</source>
        <translation>Berichtigen oder entfernen Sie HF_ENDPOINT.</translation>
    </message>
    <message>
        <source>Correct or unset SPECCHAT_UPDATES. The URL must start with https://.</source>
        <translation>Berichtigen oder entfernen Sie SPECCHAT_UPDATES. Die URL muss mit https:// beginnen.</translation>
    </message>
    <message>
        <source>Correct the grammar at that position.</source>
        <translation>Berichtigen Sie die Grammatik an dieser Stelle.</translation>
    </message>
    <message>
        <source>DFlash</source>
        <translation>DFlash</translation>
    </message>
    <message>
        <source>DSpark</source>
        <translation>DSpark</translation>
    </message>
    <message>
        <source>Define the rule, or remove the reference to it.</source>
        <translation>Definieren Sie die Regel, oder entfernen Sie den Verweis darauf.</translation>
    </message>
    <message>
        <source>Delete it in LM Studio, under My Models.</source>
        <translation>Löschen Sie es dort unter My Models.</translation>
    </message>
    <message>
        <source>Delete it with: ollama rm {what}</source>
        <translation>Löschen Sie es mit: ollama rm {what}</translation>
    </message>
    <message>
        <source>Delete the file yourself: {what}</source>
        <translation>Löschen Sie die Datei selbst: {what}</translation>
    </message>
    <message>
        <source>Available devices: {known}.</source>
        <translation>Verfügbare Geräte: {known}.</translation>
    </message>
    <message>
        <source>Did you mean {name}?</source>
        <translation>Meinten Sie {name}?</translation>
    </message>
    <message>
        <source>Download a GGUF version of this model, or convert it with llama.cpp&apos;s tools.</source>
        <translation>Laden Sie eine GGUF-Version dieses Modells herunter, oder wandeln Sie es mit den Programmen von llama.cpp um.</translation>
    </message>
    <message>
        <source>Download a newer GGUF version of this model.</source>
        <translation>Laden Sie eine neuere GGUF-Version dieses Modells herunter.</translation>
    </message>
    <message>
        <source>Download it again later or over another network.</source>
        <translation>Laden Sie die Datei später oder über ein anderes Netz neu herunter.</translation>
    </message>
    <message>
        <source>Download it: {command}</source>
        <translation>Herunterladen mit: {command}</translation>
    </message>
    <message>
        <source>Download the file again from its page. The site may ask you to log in first.</source>
        <translation>Laden Sie die Datei von ihrer Seite neu herunter. Vielleicht müssen Sie sich dort zuerst anmelden.</translation>
    </message>
    <message>
        <source>Download the file again.</source>
        <translation>Laden Sie die Datei neu herunter.</translation>
    </message>
    <message>
        <source>Download the ordinary (little-endian) version.</source>
        <translation>Laden Sie die gewöhnliche Version (Little-Endian) herunter.</translation>
    </message>
    <message>
        <source>Download them one at a time.</source>
        <translation>Laden Sie sie nacheinander herunter.</translation>
    </message>
    <message>
        <source>Download them: {command}</source>
        <translation>Herunterladen mit: {command}</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>Entwurfsmodell</translation>
    </message>
    <message>
        <source>--draft-type model needs a draft.</source>
        <translation>--draft-type model braucht einen Entwurf.</translation>
    </message>
    <message>
        <source>EAGLE-3</source>
        <translation>EAGLE-3</translation>
    </message>
    <message>
        <source>Earlier text</source>
        <translation>Früherer Text</translation>
    </message>
    <message>
        <source>End the name with .json or .md.</source>
        <translation>Der Name muss auf .json oder .md enden.</translation>
    </message>
    <message>
        <source>End the name with {formats}.</source>
        <translation>Der Name muss auf {formats} enden.</translation>
    </message>
    <message>
        <source>The file matches its checksum.</source>
        <translation>Die Datei stimmt mit ihrer Prüfsumme überein.</translation>
    </message>
    <message>
        <source>Can&apos;t write to {folder}, where specchat keeps its data: {reason}.</source>
        <translation>In {folder}, wo specchat seine Daten ablegt, kann nicht geschrieben werden: {reason}.</translation>
    </message>
    <message>
        <source>Export the chats again, or choose another file.</source>
        <translation>Exportieren Sie die Chats erneut, oder wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>For code completion in editors. Not trained to chat.</source>
        <translation>Für Codevervollständigung in Editoren. Nicht zum Chatten trainiert.</translation>
    </message>
    <message>
        <source>The draft requires a special token at the start of the text, but the target doesn&apos;t.</source>
        <translation>Für den Entwurf muss jeder Text mit einem Sondertoken beginnen, für das Ziel nicht.</translation>
    </message>
    <message>
        <source>The draft requires a special token at the end of the text, but the target doesn&apos;t.</source>
        <translation>Für den Entwurf muss jeder Text mit einem Sondertoken enden, für das Ziel nicht.</translation>
    </message>
    <message>
        <source>The target requires a special token at the start of the text, but the draft doesn&apos;t.</source>
        <translation>Für das Ziel muss jeder Text mit einem Sondertoken beginnen, für den Entwurf nicht.</translation>
    </message>
    <message>
        <source>The target requires a special token at the end of the text, but the draft doesn&apos;t.</source>
        <translation>Für das Ziel muss jeder Text mit einem Sondertoken enden, für den Entwurf nicht.</translation>
    </message>
    <message>
        <source>Four bits per weight. Best for models trained in this format.</source>
        <translation>Vier Bit je Gewicht. Am besten für Modelle, die in diesem Format trainiert wurden.</translation>
    </message>
    <message>
        <source>Free up some space and try again.</source>
        <translation>Schaffen Sie Platz, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Free up some space there.</source>
        <translation>Schaffen Sie dort Platz.</translation>
    </message>
    <message>
        <source>Free up some space, check the folder&apos;s permissions, or set SPECCHAT_HOME to another folder.</source>
        <translation>Schaffen Sie Platz, prüfen Sie die Zugriffsrechte des Ordners, oder setzen Sie SPECCHAT_HOME auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Free up some space, or set HF_HOME to a folder on another disk.</source>
        <translation>Schaffen Sie Platz, oder setzen Sie HF_HOME auf einen Ordner auf einem anderen Datenträger.</translation>
    </message>
    <message>
        <source>Free up some space, then resume the download. The partial download is kept.</source>
        <translation>Schaffen Sie Platz, und setzen Sie den Download fort. Der Teildownload bleibt erhalten.</translation>
    </message>
    <message>
        <source>Set --host to an address of this computer.</source>
        <translation>Geben Sie eine Adresse dieses Computers an (--host).</translation>
    </message>
    <message>
        <source>Pass a prompt with -p.</source>
        <translation>Geben Sie mit -p einen Prompt an.</translation>
    </message>
    <message>
        <source>Guessed by the DFlash head, accepted</source>
        <translation>Vom DFlash-Kopf vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed by the DSpark head, accepted</source>
        <translation>Vom DSpark-Kopf vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed by the EAGLE-3 head, accepted</source>
        <translation>Vom EAGLE-3-Kopf vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed by the MTP layers, accepted</source>
        <translation>Von den MTP-Schichten vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed by the draft, accepted</source>
        <translation>Vom Entwurf vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed from earlier text, accepted</source>
        <translation>Aus früherem Text vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>HF_HUB_OFFLINE is set, so specchat doesn&apos;t access the Hub.</source>
        <translation>HF_HUB_OFFLINE ist gesetzt, also greift specchat nicht auf den Hub zu.</translation>
    </message>
    <message>
        <source>Half the original size, no noticeable quality loss.</source>
        <translation>Halbe Originalgröße, kein merklicher Qualitätsverlust.</translation>
    </message>
    <message>
        <source>Almost no quality loss.</source>
        <translation>Fast kein Qualitätsverlust.</translation>
    </message>
    <message>
        <source>If not, delete it with: hf cache rm {what}</source>
        <translation>Wenn nicht, löschen Sie es mit: hf cache rm {what}</translation>
    </message>
    <message>
        <source>Reinstall specchat.</source>
        <translation>Installieren Sie specchat neu.</translation>
    </message>
    <message>
        <source>Reinstall specchat. If that doesn&apos;t help, please report the problem. Details are in the log in {logs}.</source>
        <translation>Installieren Sie specchat neu. Wenn das nicht hilft, melden Sie das Problem bitte. Details stehen im Protokoll in {logs}.</translation>
    </message>
    <message>
        <source>Check that this llama-server supports these models, or omit --peer.</source>
        <translation>Prüfen Sie, ob dieser llama-server diese Modelle unterstützt, oder lassen Sie --peer weg.</translation>
    </message>
    <message>
        <source>Try again in {minutes} minutes.</source>
        <translation>Versuchen Sie es in {minutes} Minuten erneut.</translation>
    </message>
    <message>
        <source>It doesn&apos;t state its context length.</source>
        <translation>Es gibt seine Kontextlänge nicht an.</translation>
    </message>
    <message>
        <source>It doesn&apos;t state its number of layers.</source>
        <translation>Es gibt die Zahl seiner Schichten nicht an.</translation>
    </message>
    <message>
        <source>It doesn&apos;t state the width of its layers.</source>
        <translation>Es gibt die Breite seiner Schichten nicht an.</translation>
    </message>
    <message>
        <source>It doesn&apos;t state which layers of its target it reads.</source>
        <translation>Er gibt nicht an, welche Schichten des Ziels er liest.</translation>
    </message>
    <message>
        <source>Uninstalling specchat removes it.</source>
        <translation>Wenn specchat deinstalliert wird, verschwindet es.</translation>
    </message>
    <message>
        <source>It drafts for {head} models, but the target is a {target} model.</source>
        <translation>Er macht Vorschläge für {head}-Modelle; das Ziel ist ein {target}-Modell.</translation>
    </message>
    <message>
        <source>It has no GGUF models. Choose another repository.</source>
        <translation>Es enthält keine GGUF-Modelle. Wählen Sie ein anderes Repository.</translation>
    </message>
    <message>
        <source>It has no tokenizer.</source>
        <translation>Es hat keinen Tokenizer.</translation>
    </message>
    <message>
        <source>Available: {names}</source>
        <translation>Verfügbar: {names}</translation>
    </message>
    <message>
        <source>It contains calibration data, not a model.</source>
        <translation>Es enthält Kalibrierungsdaten, kein Modell.</translation>
    </message>
    <message>
        <source>It contains only a vocabulary, no weights.</source>
        <translation>Es enthält nur ein Vokabular, keine Gewichte.</translation>
    </message>
    <message>
        <source>It is a draft head, which can&apos;t answer by itself.</source>
        <translation>Es ist ein Entwurfskopf, der allein nicht antworten kann.</translation>
    </message>
    <message>
        <source>It is a LoRA adapter for another model and can&apos;t chat.</source>
        <translation>Es ist ein LoRA-Adapter für ein anderes Modell und kann nicht chatten.</translation>
    </message>
    <message>
        <source>It is not smaller than the target.</source>
        <translation>Es ist nicht kleiner als das Ziel.</translation>
    </message>
    <message>
        <source>It is part 1 of {all}. The parameters and size shown are for this part only.</source>
        <translation>Es ist Teil 1 von {all}. Parameter und Größe gelten nur für diesen Teil.</translation>
    </message>
    <message>
        <source>The vocabulary has {n} tokens, numbered from 0.</source>
        <translation>Das Vokabular hat {n} Token, nummeriert ab 0.</translation>
    </message>
    <message>
        <source>It lists {n} target layers, but EAGLE-3 heads read three.</source>
        <translation>Er nennt {n} Schichten des Ziels; EAGLE-3-Köpfe lesen drei.</translation>
    </message>
    <message>
        <source>It adds a token at the end of the text but doesn&apos;t say which one.</source>
        <translation>Es fügt am Textende ein Token an, gibt aber nicht an, welches.</translation>
    </message>
    <message>
        <source>It adds a token at the start of the text but doesn&apos;t say which one.</source>
        <translation>Es fügt am Textanfang ein Token ein, gibt aber nicht an, welches.</translation>
    </message>
    <message>
        <source>It encodes images for another model and can&apos;t chat.</source>
        <translation>Es kodiert Bilder für ein anderes Modell und kann nicht chatten.</translation>
    </message>
    <message>
        <source>It reads layer {layer} of its target, which has only {n} layers.</source>
        <translation>Er liest Schicht {layer} des Ziels, das {n} Schichten hat.</translation>
    </message>
    <message>
        <source>It reads the target&apos;s hidden states, which llama.cpp can&apos;t extract from {architecture} models.</source>
        <translation>Er liest die verborgenen Zustände des Ziels, die llama.cpp aus {architecture}-Modellen nicht auslesen kann.</translation>
    </message>
    <message>
        <source>It claims to have no tokenizer but lists {n} tokens.</source>
        <translation>Es hat nach eigener Angabe keinen Tokenizer, führt aber {n} Token auf.</translation>
    </message>
    <message>
        <source>specchat is trying again. If it crashes again, report it and attach the files in {logs}.</source>
        <translation>specchat versucht es noch einmal. Wenn es wieder abstürzt, melden Sie das bitte, und hängen Sie die Dateien aus {logs} an.</translation>
    </message>
    <message>
        <source>It was made for a target with {head} layers, but this one has {target}.</source>
        <translation>Er wurde für ein Ziel mit {head} Schichten gemacht; dieses hat {target}.</translation>
    </message>
    <message>
        <source>Its file may be damaged: download it again.</source>
        <translation>Die Datei ist vielleicht beschädigt: Laden Sie sie neu herunter.</translation>
    </message>
    <message>
        <source>Its header or its vocabulary may be damaged: download the file again.</source>
        <translation>Header oder Vokabular ist vielleicht beschädigt: Laden Sie die Datei neu herunter.</translation>
    </message>
    <message>
        <source>Its character map is not a list of bytes.</source>
        <translation>Seine Zeichentabelle ist keine Liste von Bytes.</translation>
    </message>
    <message>
        <source>Its character map is shorter than stated.</source>
        <translation>Seine Zeichentabelle ist kürzer als angegeben.</translation>
    </message>
    <message>
        <source>Its tokenizer has no merge rules.</source>
        <translation>Sein Tokenizer hat keine Merge-Regeln.</translation>
    </message>
    <message>
        <source>Its tokenizer is of type {kind}, which has no byte tokens.</source>
        <translation>Sein Tokenizer ist vom Typ {kind}, der keine Byte-Token hat.</translation>
    </message>
    <message>
        <source>Its tokenizer is of type {kind}, which needs a score for each of its {tokens} tokens, but it has {n}.</source>
        <translation>Sein Tokenizer ist vom Typ {kind}, der für jedes seiner {tokens} Token einen Wert braucht; er hat {n}.</translation>
    </message>
    <message>
        <source>Its tokenizer is of type {kind}, which needs single-byte tokens, but {n} are missing ({bytes}).</source>
        <translation>Sein Tokenizer ist vom Typ {kind}, der Ein-Byte-Token braucht; {n} davon fehlen ({bytes}).</translation>
    </message>
    <message>
        <source>Its tokenizer is of type {kind}, which writes spaces as {space}, but no token contains one.</source>
        <translation>Sein Tokenizer ist vom Typ {kind}, der Leerzeichen als {space} schreibt; kein Token enthält eines.</translation>
    </message>
    <message>
        <source>Its tokenizer has an unknown type: {name}.</source>
        <translation>Sein Tokenizer ist von unbekanntem Typ: {name}.</translation>
    </message>
    <message>
        <source>Its vocabulary has {tokens} tokens, but {tensor} has {rows}.</source>
        <translation>Sein Vokabular hat {tokens} Token, {tensor} aber {rows}.</translation>
    </message>
    <message>
        <source>Its vocabulary is empty.</source>
        <translation>Sein Vokabular ist leer.</translation>
    </message>
    <message>
        <source>Omit --draft-type, or use --draft-type {kind}.</source>
        <translation>Lassen Sie --draft-type weg, oder verwenden Sie --draft-type {kind}.</translation>
    </message>
    <message>
        <source>Omit the oldest messages, or use a larger context.</source>
        <translation>Lassen Sie die ältesten Nachrichten weg, oder verwenden Sie einen größeren Kontext.</translation>
    </message>
    <message>
        <source>Omit the revision, or choose one from {page}.</source>
        <translation>Lassen Sie die Revision weg, oder wählen Sie eine von {page}.</translation>
    </message>
    <message>
        <source>Choose it as a model instead. Its name must end in .gguf.</source>
        <translation>Wählen Sie es stattdessen als Modell. Sein Name muss auf .gguf enden.</translation>
    </message>
    <message>
        <source>Reload the repository page.</source>
        <translation>Laden Sie die Seite des Repositorys neu.</translation>
    </message>
    <message>
        <source>MTP</source>
        <translation>MTP</translation>
    </message>
    <message>
        <source>MTP layers</source>
        <translation>MTP-Schichten</translation>
    </message>
    <message>
        <source>Create a new one at {tokens} and enter it in Settings &gt; Hugging Face, or set HF_TOKEN.</source>
        <translation>Erstellen Sie unter {tokens} ein neues und geben Sie es unter Einstellungen &gt; Hugging Face ein, oder setzen Sie HF_TOKEN.</translation>
    </message>
    <message>
        <source>Create a token at {tokens} and enter it in Settings &gt; Hugging Face, or set HF_TOKEN.</source>
        <translation>Erstellen Sie unter {tokens} ein Zugriffstoken und geben Sie es unter Einstellungen &gt; Hugging Face ein, oder setzen Sie HF_TOKEN.</translation>
    </message>
    <message>
        <source>Medium size, very little quality loss.</source>
        <translation>Mittelgroß, sehr wenig Qualitätsverlust.</translation>
    </message>
    <message>
        <source>This computer may have run out of memory. Use a smaller context (-c) or fewer GPU layers (-ngl).</source>
        <translation>Vielleicht reichte der Speicher nicht. Verwenden Sie einen kleineren Kontext (-c) oder weniger GPU-Schichten (-ngl).</translation>
    </message>
    <message>
        <source>This computer may have run out of memory. Use a smaller context (-c).</source>
        <translation>Vielleicht reichte der Speicher nicht. Verwenden Sie einen kleineren Kontext (-c).</translation>
    </message>
    <message>
        <source>Can&apos;t download models from different revisions together: {revisions}.</source>
        <translation>Modelle verschiedener Revisionen lassen sich nicht zusammen herunterladen: {revisions}.</translation>
    </message>
    <message>
        <source>One vocabulary has more than {n} additional tokens, and they are not just padding.</source>
        <translation>Ein Vokabular hat mehr als {n} zusätzliche Token, die nicht nur Füllung sind.</translation>
    </message>
    <message>
        <source>Move specchat to a writable folder, or delete {mark} to use the default folders.</source>
        <translation>Verschieben Sie specchat in einen beschreibbaren Ordner, oder löschen Sie {mark}, um die Standardordner zu benutzen.</translation>
    </message>
    <message>
        <source>Use a .gguf file, owner/repo:Q4_K_M, or demo.</source>
        <translation>Verwenden Sie eine .gguf-Datei, owner/repo:Q4_K_M oder demo.</translation>
    </message>
    <message>
        <source>Specify a file inside it.</source>
        <translation>Geben Sie eine Datei darin an.</translation>
    </message>
    <message>
        <source>Specify a prompt file or a workload.</source>
        <translation>Geben Sie eine Prompt-Datei oder eine Aufgabenart an.</translation>
    </message>
    <message>
        <source>Choose another file.</source>
        <translation>Wählen Sie eine andere Datei.</translation>
    </message>
    <message>
        <source>Set --peer to the llama-server program.</source>
        <translation>Geben Sie mit --peer das Programm llama-server an.</translation>
    </message>
    <message>
        <source>Use the name of one of the tools in the request.</source>
        <translation>Verwenden Sie den Namen eines Werkzeugs aus der Anfrage.</translation>
    </message>
    <message>
        <source>Pass one with -md, or use --draft-type ngram.</source>
        <translation>Geben Sie mit -md einen an, oder verwenden Sie --draft-type ngram.</translation>
    </message>
    <message>
        <source>Specify one, such as {repo}:{first}. Available: {names}</source>
        <translation>Geben Sie eines an, etwa {repo}:{first}. Verfügbar: {names}</translation>
    </message>
    <message>
        <source>Reduce the nesting.</source>
        <translation>Verringern Sie die Verschachtelung.</translation>
    </message>
    <message>
        <source>The header is valid. No checksum is known for this file.</source>
        <translation>Der Header ist gültig. Für diese Datei ist keine Prüfsumme bekannt.</translation>
    </message>
    <message>
        <source>Couldn&apos;t establish a secure connection to {host}.</source>
        <translation>Zu {host} kam keine verschlüsselte Verbindung zustande.</translation>
    </message>
    <message>
        <source>It was a little faster on these prompts with {length} ({times}×), but auto adapts to other text.</source>
        <translation>Mit {length} war es bei diesen Prompts etwas schneller ({times}×), aber auto passt sich auch anderem Text an.</translation>
    </message>
    <message>
        <source>Plain decoding is fastest here. Next is {guesser} with {length} at {times}×.</source>
        <translation>Ohne Vorschläge ist es hier am schnellsten. Danach kommt {guesser} ({length}): {times}×.</translation>
    </message>
    <message>
        <source>No model is loaded.</source>
        <translation>Es ist kein Modell geladen.</translation>
    </message>
    <message>
        <source>No token set. Public models don&apos;t need one.</source>
        <translation>Kein Zugriffstoken gesetzt. Öffentliche Modelle brauchen keines.</translation>
    </message>
    <message>
        <source>Use fewer GPU layers (-ngl), or choose a smaller model.</source>
        <translation>Verwenden Sie weniger GPU-Schichten (-ngl), oder wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Listening on {host} would let other computers use the models.</source>
        <translation>Unter {host} könnten andere Computer die Modelle benutzen.</translation>
    </message>
    <message>
        <source>One of its tokens is {n} bytes long.</source>
        <translation>Eines seiner Token ist {n} Byte lang.</translation>
    </message>
    <message>
        <source>Open another model.</source>
        <translation>Öffnen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Open it together with its target, or select it as the draft.</source>
        <translation>Öffnen Sie ihn zusammen mit seinem Ziel, oder wählen Sie ihn als Entwurf.</translation>
    </message>
    <message>
        <source>Accept it at {page}, then try again.</source>
        <translation>Nehmen Sie sie auf {page} an, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Requests must include the API key. This computer has no keyring, so the key is kept only until specchat quits.</source>
        <translation>Anfragen müssen den API-Schlüssel enthalten. Dieser Computer hat keinen Schlüsselbund, also bleibt der Schlüssel nur bis zum Beenden von specchat.</translation>
    </message>
    <message>
        <source>Prompt {n}: {reason}</source>
        <translation>Prompt {n}: {reason}</translation>
    </message>
    <message>
        <source>Put all parts of the model in one folder.</source>
        <translation>Legen Sie alle Teile des Modells in einen Ordner.</translation>
    </message>
    <message>
        <source>Remove one of them first.</source>
        <translation>Entfernen Sie zuerst eines davon.</translation>
    </message>
    <message>
        <source>Remove specchat&apos;s entry with your keyring app.</source>
        <translation>Entfernen Sie den Eintrag von specchat mit Ihrem Schlüsselbund-Programm.</translation>
    </message>
    <message>
        <source>Rename it: specchat keeps its chats in a file with that name.</source>
        <translation>Benennen Sie ihn um: specchat bewahrt seine Chats in einer Datei dieses Namens auf.</translation>
    </message>
    <message>
        <source>Run git lfs pull, or download the file.</source>
        <translation>Führen Sie git lfs pull aus, oder laden Sie die Datei herunter.</translation>
    </message>
    <message>
        <source>SPECCHAT_HOME is {home}, but that user doesn&apos;t exist.</source>
        <translation>SPECCHAT_HOME ist {home}, aber diesen Benutzer gibt es nicht.</translation>
    </message>
    <message>
        <source>SPECCHAT_LOG has an invalid value: {level}.</source>
        <translation>SPECCHAT_LOG hat einen ungültigen Wert: {level}.</translation>
    </message>
    <message>
        <source>Recover the readable chats with: specchat chats salvage. The damaged file stays in its folder.</source>
        <translation>Retten Sie die lesbaren Chats: specchat chats salvage. Die beschädigte Datei bleibt in ihrem Ordner.</translation>
    </message>
    <message>
        <source>Add it: specchat engines add {name} URL</source>
        <translation>Fügen Sie sie hinzu: specchat engines add {name} URL</translation>
    </message>
    <message>
        <source>An early exit draft needs {needed} MB, but the disk with {folder} has only {free} MB free.</source>
        <translation>Ein Early-Exit-Entwurf braucht {needed} MB, aber auf dem Datenträger mit {folder} sind nur {free} MB frei.</translation>
    </message>
    <message>
        <source>Can&apos;t find {where}.</source>
        <translation>{where} ist nicht zu finden.</translation>
    </message>
    <message>
        <source>Can&apos;t reach {where}.</source>
        <translation>{where} ist nicht erreichbar.</translation>
    </message>
    <message>
        <source>Change the settings named in this message, or choose another model.</source>
        <translation>Ändern Sie die hier genannten Einstellungen, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Check that it is an engine, then try again.</source>
        <translation>Prüfen Sie, ob es eine Engine ist, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Check that the engine is running, and that its address and port are right.</source>
        <translation>Prüfen Sie, ob die Engine läuft und ob Adresse und Port stimmen.</translation>
    </message>
    <message>
        <source>Check that the engine is running.</source>
        <translation>Prüfen Sie, ob die Engine läuft.</translation>
    </message>
    <message>
        <source>Check the address and port, and whether a proxy or this network requires you to log in first.</source>
        <translation>Prüfen Sie Adresse und Port, und ob ein Proxy oder dieses Netzwerk eine Anmeldung verlangt.</translation>
    </message>
    <message>
        <source>Check the address and your connection.</source>
        <translation>Prüfen Sie die Adresse und Ihre Verbindung.</translation>
    </message>
    <message>
        <source>Check the address and your proxy settings.</source>
        <translation>Prüfen Sie die Adresse und die Proxy-Einstellungen.</translation>
    </message>
    <message>
        <source>Check the address, and whether the engine is up to date.</source>
        <translation>Prüfen Sie die Adresse, und ob die Engine aktuell ist.</translation>
    </message>
    <message>
        <source>Check the address.</source>
        <translation>Prüfen Sie die Adresse.</translation>
    </message>
    <message>
        <source>Check the disk and the folder&apos;s permissions.</source>
        <translation>Prüfen Sie den Datenträger und die Zugriffsrechte des Ordners.</translation>
    </message>
    <message>
        <source>Check the disk.</source>
        <translation>Prüfen Sie den Datenträger.</translation>
    </message>
    <message>
        <source>Check whether the engine is busy, then try again.</source>
        <translation>Prüfen Sie, ob die Engine ausgelastet ist, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Choose a model on this computer, or use this one with: --engine {url}</source>
        <translation>Wählen Sie ein Modell auf diesem Computer, oder verwenden Sie dieses mit: --engine {url}</translation>
    </message>
    <message>
        <source>Choose another device (-devd), or no draft layers on the GPU (-ngld 0).</source>
        <translation>Wählen Sie ein anderes Gerät (-devd) oder keine GPU-Schichten für den Entwurf (-ngld 0).</translation>
    </message>
    <message>
        <source>Choose another port (--port), or close that program and try again.</source>
        <translation>Wählen Sie einen anderen Port (--port), oder beenden Sie jenes Programm, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Choose another target.</source>
        <translation>Wählen Sie ein anderes Ziel.</translation>
    </message>
    <message>
        <source>Choose a number from 1 to {most}.</source>
        <translation>Wählen Sie eine Zahl von 1 bis {most}.</translation>
    </message>
    <message>
        <source>Choose its target, and use this file as the draft.</source>
        <translation>Wählen Sie sein Ziel, und verwenden Sie diese Datei als Entwurf.</translation>
    </message>
    <message>
        <source>Choose one with -m: {names}</source>
        <translation>Wählen Sie eines mit -m: {names}</translation>
    </message>
    <message>
        <source>Choose the .safetensors file of these heads.</source>
        <translation>Wählen Sie die .safetensors-Datei dieser Köpfe.</translation>
    </message>
    <message>
        <source>Close other programs, and try again.</source>
        <translation>Schließen Sie andere Programme, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Couldn&apos;t establish a secure connection to {where}.</source>
        <translation>Eine sichere Verbindung zu {where} kam nicht zustande.</translation>
    </message>
    <message>
        <source>Delete it with: specchat models rm {what}</source>
        <translation>Löschen mit: specchat models rm {what}</translation>
    </message>
    <message>
        <source>Early exit</source>
        <translation>Early Exit</translation>
    </message>
    <message>
        <source>Early exit (first layer)</source>
        <translation>Early Exit (erste Schicht)</translation>
    </message>
    <message>
        <source>Early exit (first {n} layers)</source>
        <translation>Early Exit (erste {n} Schichten)</translation>
    </message>
    <message>
        <source>An early exit test is already running on this computer.</source>
        <translation>Early Exit wird auf diesem Computer schon ausprobiert.</translation>
    </message>
    <message>
        <source>Free up some space, or choose fewer layers.</source>
        <translation>Schaffen Sie Platz, oder wählen Sie weniger Schichten.</translation>
    </message>
    <message>
        <source>Free up some space.</source>
        <translation>Schaffen Sie Platz.</translation>
    </message>
    <message>
        <source>Guessed by lookahead, accepted</source>
        <translation>Durch Vorausschau vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed by the Medusa heads, accepted</source>
        <translation>Von den Medusa-Köpfen vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>Guessed by the target&apos;s first layers, accepted</source>
        <translation>Von den ersten Schichten des Ziels vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>It has MTP layers, which guess better than its first layers.</source>
        <translation>Es hat MTP-Schichten, deren Vorschläge besser sind als die seiner ersten Schichten.</translation>
    </message>
    <message>
        <source>It has only one layer.</source>
        <translation>Es hat nur eine Schicht.</translation>
    </message>
    <message>
        <source>It holds only the first layers of its target, which can&apos;t answer by themselves.</source>
        <translation>Es enthält nur die ersten Schichten seines Ziels, die allein nicht antworten können.</translation>
    </message>
    <message>
        <source>It was made for a vocabulary of {head} tokens, but the target has {target}.</source>
        <translation>Er wurde für ein Vokabular von {head} Token gemacht; das Ziel hat {target}.</translation>
    </message>
    <message>
        <source>specchat didn&apos;t follow the redirect. Check the address.</source>
        <translation>specchat ist der Umleitung nicht gefolgt. Prüfen Sie die Adresse.</translation>
    </message>
    <message>
        <source>specchat didn&apos;t follow the redirect. If {target} is your engine, use that address.</source>
        <translation>specchat ist der Umleitung nicht gefolgt. Ist {target} Ihre Engine, verwenden Sie diese Adresse.</translation>
    </message>
    <message>
        <source>Remove the password. Store a key with specchat engines add, or set SPECCHAT_ENGINE_KEY.</source>
        <translation>Entfernen Sie das Passwort. Speichern Sie einen Schlüssel mit specchat engines add, oder setzen Sie SPECCHAT_ENGINE_KEY.</translation>
    </message>
    <message>
        <source>List its models: specchat engines test {where}</source>
        <translation>Ihre Modelle zeigt: specchat engines test {where}</translation>
    </message>
    <message>
        <source>Load or download one there.</source>
        <translation>Laden Sie dort eines, oder laden Sie eines herunter.</translation>
    </message>
    <message>
        <source>Check the engine&apos;s log, then try again.</source>
        <translation>Sehen Sie ins Protokoll der Engine, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Check the engine&apos;s log.</source>
        <translation>Sehen Sie ins Protokoll der Engine.</translation>
    </message>
    <message>
        <source>Lookahead</source>
        <translation>Vorausschau</translation>
    </message>
    <message>
        <source>Make one: {command}</source>
        <translation>Erstellen mit: {command}</translation>
    </message>
    <message>
        <source>Medusa</source>
        <translation>Medusa</translation>
    </message>
    <message>
        <source>No early exit draft is kept for {name}.</source>
        <translation>Für {name} gibt es keinen Early-Exit-Entwurf.</translation>
    </message>
    <message>
        <source>Omit --ignore-eos.</source>
        <translation>Lassen Sie --ignore-eos weg.</translation>
    </message>
    <message>
        <source>Omit -md, or omit --draft-type.</source>
        <translation>Lassen Sie -md oder --draft-type weg.</translation>
    </message>
    <message>
        <source>Regenerate it instead.</source>
        <translation>Lassen Sie sie stattdessen neu erzeugen.</translation>
    </message>
    <message>
        <source>Restart it, then try again.</source>
        <translation>Starten Sie ihn neu, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>The first {n} tokens are the same.</source>
        <translation>Die ersten {n} Token sind gleich.</translation>
    </message>
    <message>
        <source>Save it as UTF-8.</source>
        <translation>Speichern Sie die Datei als UTF-8.</translation>
    </message>
    <message>
        <source>{where} doesn&apos;t report how many tokens an answer has.</source>
        <translation>{where} meldet nicht, wie viele Token eine Antwort hat.</translation>
    </message>
    <message>
        <source>Without that, its speed can&apos;t be measured. Choose another engine.</source>
        <translation>Ohne diese Angabe lässt sich die Geschwindigkeit nicht messen. Wählen Sie eine andere Engine.</translation>
    </message>
    <message>
        <source>Send the request directly to the engine.</source>
        <translation>Senden Sie die Anfrage direkt an die Engine.</translation>
    </message>
    <message>
        <source>Can&apos;t reach the RPC server at {address}: {reason}.</source>
        <translation>Der RPC-Server {address} ist nicht erreichbar: {reason}.</translation>
    </message>
    <message>
        <source>Check that ggml-rpc-server is running there and its port is open, or load the model without that machine.</source>
        <translation>Prüfen Sie, ob dort ggml-rpc-server läuft und der Port offen ist, oder laden Sie das Modell ohne diesen Computer.</translation>
    </message>
    <message>
        <source>Continue once ggml-rpc-server is running there again, or load the model without that machine.</source>
        <translation>Setzen Sie fort, sobald ggml-rpc-server dort wieder läuft, oder laden Sie das Modell ohne diesen Computer.</translation>
    </message>
    <message>
        <source>If you run specchat from source, start it once with: python3 packaging/dev.py run --gpu rpc</source>
        <translation>Wenn specchat aus dem Quelltext läuft, einmal starten mit: python3 packaging/dev.py run --gpu rpc</translation>
    </message>
    <message>
        <source>GPUs are turned off because a driver crashed</source>
        <translation>GPUs sind abgeschaltet, weil ein Treiber abgestürzt ist</translation>
    </message>
    <message>
        <source>Install libvulkan1 and the card&apos;s Vulkan driver.</source>
        <translation>Installieren Sie libvulkan1 und den Vulkan-Treiber der Karte.</translation>
    </message>
    <message>
        <source>Install the card&apos;s driver, or update it.</source>
        <translation>Installieren oder aktualisieren Sie den Treiber der Karte.</translation>
    </message>
    <message>
        <source>It serves one program at a time. Unload the model in the other program, or load without that machine.</source>
        <translation>Er bedient nur ein Programm zugleich. Entladen Sie das Modell im anderen Programm, oder laden Sie ohne diesen Computer.</translation>
    </message>
    <message>
        <source>Use fewer servers.</source>
        <translation>Verwenden Sie weniger Server.</translation>
    </message>
    <message>
        <source>Load a model for code, such as Qwen2.5-Coder.</source>
        <translation>Laden Sie ein Modell für Code, etwa Qwen2.5-Coder.</translation>
    </message>
    <message>
        <source>Lost the connection to {servers}, which held part of the model.</source>
        <translation>Die Verbindung zu {servers} ist abgebrochen; ein Teil des Modells lag dort.</translation>
    </message>
    <message>
        <source>RPC sends prompts, answers, and the model unencrypted, and anyone who can reach the port can use ggml-rpc-server. Use it only on a network that you trust.</source>
        <translation>RPC überträgt Prompts, Antworten und das Modell unverschlüsselt, und wer den Port erreicht, kann ggml-rpc-server benutzen. Verwenden Sie es nur in einem Netz, dem Sie vertrauen.</translation>
    </message>
    <message>
        <source>Save it in another folder.</source>
        <translation>Speichern Sie in einem anderen Ordner.</translation>
    </message>
    <message>
        <source>Save its text as a .txt file and attach that.</source>
        <translation>Speichern Sie den Text als .txt-Datei, und hängen Sie diese an.</translation>
    </message>
    <message>
        <source>Send it again.</source>
        <translation>Senden Sie sie erneut.</translation>
    </message>
    <message>
        <source>Set SPECCHAT_HOME to a folder with a shorter path.</source>
        <translation>Setzen Sie SPECCHAT_HOME auf einen Ordner mit kürzerem Pfad.</translation>
    </message>
    <message>
        <source>Set a key with --api-key KEY, or serve on 127.0.0.1.</source>
        <translation>Setzen Sie mit --api-key KEY einen Schlüssel, oder bleiben Sie bei 127.0.0.1.</translation>
    </message>
    <message>
        <source>Set it to one of these: {known}.</source>
        <translation>Mögliche Werte: {known}.</translation>
    </message>
    <message>
        <source>Shorten it.</source>
        <translation>Kürzen Sie ihn.</translation>
    </message>
    <message>
        <source>Shorten the prompt, or use a larger context.</source>
        <translation>Kürzen Sie den Prompt, oder verwenden Sie einen größeren Kontext.</translation>
    </message>
    <message>
        <source>Shorten the prompt: the target was trained for a context of {trained} tokens.</source>
        <translation>Kürzen Sie den Prompt: Das Ziel wurde für einen Kontext von {trained} Token trainiert.</translation>
    </message>
    <message>
        <source>Signed in as {name}.</source>
        <translation>Angemeldet als {name}.</translation>
    </message>
    <message>
        <source>Simplify it.</source>
        <translation>Vereinfachen Sie sie.</translation>
    </message>
    <message>
        <source>Small, little quality loss.</source>
        <translation>Klein, wenig Qualitätsverlust.</translation>
    </message>
    <message>
        <source>Small, little quality loss. The usual choice.</source>
        <translation>Klein, wenig Qualitätsverlust. Die übliche Wahl.</translation>
    </message>
    <message>
        <source>Small, some quality loss: an older 4-bit format.</source>
        <translation>Klein, etwas Qualitätsverlust: ein älteres 4-Bit-Format.</translation>
    </message>
    <message>
        <source>On that machine, start a ggml-rpc-server from the same version of specchat or llama.cpp.</source>
        <translation>Starten Sie auf jenem Computer einen ggml-rpc-server aus derselben Version von specchat oder llama.cpp.</translation>
    </message>
    <message>
        <source>Start specchat once with: python3 packaging/dev.py run --gpu {name}</source>
        <translation>specchat einmal starten mit: python3 packaging/dev.py run --gpu {name}</translation>
    </message>
    <message>
        <source>On that machine, start the ggml-rpc-server that comes with specchat, or check the port.</source>
        <translation>Starten Sie auf jenem Computer den ggml-rpc-server, der zu specchat gehört, oder prüfen Sie den Port.</translation>
    </message>
    <message>
        <source>A picture or recording of this chat is no longer in memory.</source>
        <translation>Ein Bild oder eine Aufnahme dieses Chats ist nicht mehr im Speicher.</translation>
    </message>
    <message>
        <source>Choose a model with an audio encoder (mmproj), or send text only.</source>
        <translation>Wählen Sie ein Modell mit Audio-Encoder (mmproj), oder senden Sie nur Text.</translation>
    </message>
    <message>
        <source>Its messages form a loop.</source>
        <translation>Seine Nachrichten bilden eine Schleife.</translation>
    </message>
    <message>
        <source>List the models with: specchat models</source>
        <translation>Modelle auflisten mit: specchat models</translation>
    </message>
    <message>
        <source>Load a model on this computer.</source>
        <translation>Laden Sie ein Modell auf diesem Computer.</translation>
    </message>
    <message>
        <source>Load an embedding model such as nomic-embed-text, or a reranker such as bge-reranker-v2-m3.</source>
        <translation>Laden Sie ein Embedding-Modell wie nomic-embed-text oder einen Reranker wie bge-reranker-v2-m3.</translation>
    </message>
    <message>
        <source>Loading such a file can run code, so specchat doesn&apos;t load it. Choose the .safetensors version of these heads, or convert them with PyTorch and safetensors.</source>
        <translation>Beim Laden einer solchen Datei kann Code ausgeführt werden, daher lädt specchat sie nicht. Wählen Sie die .safetensors-Version dieser Köpfe, oder wandeln Sie sie mit PyTorch und safetensors um.</translation>
    </message>
    <message>
        <source>Look up the context size in the engine&apos;s settings.</source>
        <translation>Sehen Sie die Kontextgröße in den Einstellungen der Engine nach.</translation>
    </message>
    <message>
        <source>Not on this computer: {names}.</source>
        <translation>Nicht auf diesem Computer: {names}.</translation>
    </message>
    <message>
        <source>Open the specchat window and click “Use GPU again”.</source>
        <translation>Öffnen Sie das Fenster von specchat, und klicken Sie auf „GPU wieder verwenden“.</translation>
    </message>
    <message>
        <source>Pass the head&apos;s file with -md, or omit --draft-type.</source>
        <translation>Geben Sie die Datei des Kopfs mit -md an, oder lassen Sie --draft-type weg.</translation>
    </message>
    <message>
        <source>Save it as PDF, DOCX or CSV and attach that.</source>
        <translation>Speichern Sie es als PDF, DOCX oder CSV, und hängen Sie diese Datei an.</translation>
    </message>
    <message>
        <source>Send the prompt as text.</source>
        <translation>Senden Sie den Prompt als Text.</translation>
    </message>
    <message>
        <source>Send the request again to reload it.</source>
        <translation>Senden Sie die Anfrage erneut, um es wieder zu laden.</translation>
    </message>
    <message>
        <source>Set SPECCHAT_HOME to a folder.</source>
        <translation>Geben Sie in SPECCHAT_HOME einen Ordner an.</translation>
    </message>
    <message>
        <source>Set one share per device. To list the devices, run: specchat devices</source>
        <translation>Geben Sie einen Anteil je Gerät an. Geräte auflisten mit: specchat devices</translation>
    </message>
    <message>
        <source>Shorten the chat, or start the engine with a larger context.</source>
        <translation>Kürzen Sie den Chat, oder starten Sie die Engine mit größerem Kontext.</translation>
    </message>
    <message>
        <source>Store the right key: specchat engines add NAME {where} --key, or set SPECCHAT_ENGINE_KEY.</source>
        <translation>Speichern Sie den richtigen Schlüssel: specchat engines add NAME {where} --key, oder setzen Sie SPECCHAT_ENGINE_KEY.</translation>
    </message>
    <message>
        <source>Target and draft are the same model.</source>
        <translation>Ziel und Entwurf sind dasselbe Modell.</translation>
    </message>
    <message>
        <source>The RPC server at {address} isn&apos;t responding: it may be in use.</source>
        <translation>Der RPC-Server {address} antwortet nicht: Vielleicht wird er gerade benutzt.</translation>
    </message>
    <message>
        <source>The RPC server at {address} uses protocol version {theirs}, but specchat uses {ours}.</source>
        <translation>Der RPC-Server {address} benutzt Protokollversion {theirs}, specchat aber {ours}.</translation>
    </message>
    <message>
        <source>The address of an engine can&apos;t contain a password.</source>
        <translation>Die Adresse einer Engine darf kein Passwort enthalten.</translation>
    </message>
    <message>
        <source>The answer from {where} was cut off.</source>
        <translation>Die Antwort von {where} wurde abgeschnitten.</translation>
    </message>
    <message>
        <source>The certificate for {where} is not trusted, so the connection is not secure.</source>
        <translation>Das Zertifikat für {where} ist nicht vertrauenswürdig, also ist die Verbindung nicht sicher.</translation>
    </message>
    <message>
        <source>The chat doesn&apos;t fit the engine&apos;s context.</source>
        <translation>Der Chat passt nicht in den Kontext der Engine.</translation>
    </message>
    <message>
        <source>The chat doesn&apos;t fit the engine&apos;s context: {reason}</source>
        <translation>Der Chat passt nicht in den Kontext der Engine: {reason}</translation>
    </message>
    <message>
        <source>The chat has {n} pictures and recordings, but the context holds only {all} tokens, including the answer.</source>
        <translation>Der Chat hat {n} Bilder und Aufnahmen, aber der Kontext fasst nur {all} Token, einschließlich der Antwort.</translation>
    </message>
    <message>
        <source>The connection to {where} was lost.</source>
        <translation>Die Verbindung zu {where} ist abgebrochen.</translation>
    </message>
    <message>
        <source>The draft has 1 more padding token than the target. It is never used.</source>
        <translation>Der Entwurf hat 1 Fülltoken mehr als das Ziel. Es wird nie benutzt.</translation>
    </message>
    <message>
        <source>The draft has 1 more token than the target. The target always rejects it.</source>
        <translation>Der Entwurf hat 1 Token mehr als das Ziel. Das Ziel lehnt es immer ab.</translation>
    </message>
    <message>
        <source>The draft has a different vocabulary. specchat translates its guesses.</source>
        <translation>Der Entwurf hat ein anderes Vokabular. specchat übersetzt seine Vorschläge.</translation>
    </message>
    <message>
        <source>The embeddings of {name} have only {n} dimensions.</source>
        <translation>Die Embeddings von {name} haben nur {n} Dimensionen.</translation>
    </message>
    <message>
        <source>The file doesn&apos;t say which model its heads were made for. Their size matches the target.</source>
        <translation>Für welches Modell diese Köpfe gemacht wurden, steht nicht in der Datei. Ihre Größe passt zum Ziel.</translation>
    </message>
    <message>
        <source>The file is damaged, or has the wrong extension.</source>
        <translation>Die Datei ist beschädigt oder hat die falsche Endung.</translation>
    </message>
    <message>
        <source>The file&apos;s contents are too large when unpacked.</source>
        <translation>Der Inhalt der Datei ist entpackt zu groß.</translation>
    </message>
    <message>
        <source>The first layers of this kind of {architecture} model can&apos;t be used alone.</source>
        <translation>Die ersten Schichten eines solchen {architecture}-Modells lassen sich nicht allein verwenden.</translation>
    </message>
    <message>
        <source>The list contains a token that is not in the model&apos;s vocabulary.</source>
        <translation>Die Liste enthält ein Token, das nicht im Vokabular des Modells ist.</translation>
    </message>
    <message>
        <source>The model has read too many pictures and recordings.</source>
        <translation>Das Modell hat zu viele Bilder und Aufnahmen gelesen.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template ends with the picture or recording.</source>
        <translation>Die Chat-Vorlage des Modells endet mit dem Bild oder der Aufnahme.</translation>
    </message>
    <message>
        <source>The packaged specchat includes it. From source, build it with: python3 packaging/dev.py run --gpu rpc</source>
        <translation>Das Programmpaket enthält ihn. Aus dem Quelltext bauen mit: python3 packaging/dev.py run --gpu rpc</translation>
    </message>
    <message>
        <source>The proxy refused the connection to {where}.</source>
        <translation>Der Proxy hat die Verbindung zu {where} abgelehnt.</translation>
    </message>
    <message>
        <source>The recording</source>
        <translation>Die Aufnahme</translation>
    </message>
    <message>
        <source>The request doesn&apos;t name a model.</source>
        <translation>Die Anfrage nennt kein Modell.</translation>
    </message>
    <message>
        <source>The server can&apos;t start: another program is using port {port}.</source>
        <translation>Der Server kann nicht starten: Ein anderes Programm benutzt Port {port}.</translation>
    </message>
    <message>
        <source>The target has 1 more padding token than the draft. It is never used.</source>
        <translation>Das Ziel hat 1 Fülltoken mehr als der Entwurf. Es wird nie benutzt.</translation>
    </message>
    <message>
        <source>The target has 1 more token than the draft. The draft can&apos;t guess it.</source>
        <translation>Das Ziel hat 1 Token mehr als der Entwurf. Der Entwurf kann es nicht vorschlagen.</translation>
    </message>
    <message>
        <source>This build of llama.cpp can&apos;t read pictures or audio.</source>
        <translation>Dieser Build von llama.cpp kann weder Bilder noch Audio lesen.</translation>
    </message>
    <message>
        <source>This device can&apos;t split a model by row. Use --split-mode layer.</source>
        <translation>Dieses Gerät kann ein Modell nicht nach Zeilen aufteilen. Verwenden Sie --split-mode layer.</translation>
    </message>
    <message>
        <source>This model can&apos;t call tools here: {reason}.</source>
        <translation>Dieses Modell kann hier keine Werkzeuge aufrufen: {reason}.</translation>
    </message>
    <message>
        <source>Unknown engine: {name}.</source>
        <translation>Unbekannte Engine: {name}.</translation>
    </message>
    <message>
        <source>Enter one number for each device, such as 3,1.</source>
        <translation>Geben Sie für jedes Gerät eine Zahl an, etwa 3,1.</translation>
    </message>
    <message>
        <source>its chat template doesn&apos;t tell the model about tools</source>
        <translation>seine Chat-Vorlage nennt dem Modell keine Werkzeuge</translation>
    </message>
    <message>
        <source>its chat template doesn&apos;t write tool calls</source>
        <translation>seine Chat-Vorlage schreibt keine Werkzeugaufrufe</translation>
    </message>
    <message>
        <source>logit_bias names a token that is not in the model&apos;s vocabulary.</source>
        <translation>logit_bias nennt ein Token, das nicht im Vokabular des Modells ist.</translation>
    </message>
    <message>
        <source>the tool calls that its chat template writes can&apos;t be read back</source>
        <translation>die Werkzeugaufrufe seiner Chat-Vorlage lassen sich nicht zurücklesen</translation>
    </message>
    <message>
        <source>the tool calls that its chat template writes can&apos;t be told apart from other text</source>
        <translation>die Werkzeugaufrufe seiner Chat-Vorlage lassen sich nicht von anderem Text unterscheiden</translation>
    </message>
    <message>
        <source>specchat doesn&apos;t forward such requests to {engine}.</source>
        <translation>specchat leitet solche Anfragen nicht an {engine} weiter.</translation>
    </message>
    <message>
        <source>{shares} is not a valid split.</source>
        <translation>{shares} ist keine gültige Aufteilung.</translation>
    </message>
    <message>
        <source>{words}</source>
        <translation>{words}</translation>
    </message>
    <message>
        <source>This engine can&apos;t continue an answer. Regenerate it instead.</source>
        <translation>Diese Engine kann eine Antwort nicht fortsetzen. Lassen Sie sie neu erzeugen.</translation>
    </message>
    <message>
        <source>This engine doesn&apos;t count tokens in advance, so they are estimated.</source>
        <translation>Diese Engine zählt Token nicht im Voraus; sie sind geschätzt.</translation>
    </message>
    <message>
        <source>This engine doesn&apos;t report guesses.</source>
        <translation>Diese Engine meldet keine Vorschläge.</translation>
    </message>
    <message>
        <source>This engine doesn&apos;t report the size of its context.</source>
        <translation>Diese Engine meldet die Größe ihres Kontexts nicht.</translation>
    </message>
    <message>
        <source>This engine doesn&apos;t support this setting.</source>
        <translation>Diese Engine unterstützt diese Einstellung nicht.</translation>
    </message>
    <message>
        <source>To report it, save a crash report and attach it to an issue on GitHub. It contains the log, but no chat text.</source>
        <translation>Um es zu melden, speichern Sie einen Absturzbericht und hängen ihn auf GitHub an ein Issue an. Er enthält das Protokoll, aber keinen Text aus Chats.</translation>
    </message>
    <message>
        <source>Too few answers for a result (not remembered): {guesser} with {length} was {times}× as fast as plain decoding. Use more rounds.</source>
        <translation>Zu wenige Antworten für ein Ergebnis (es wird nicht gemerkt): {guesser} ({length}) war {times}× so schnell wie ohne Vorschläge. Wählen Sie mehr Runden.</translation>
    </message>
    <message>
        <source>Part of the file is damaged and will be downloaded again.</source>
        <translation>Ein Teil der Datei ist beschädigt und wird neu heruntergeladen.</translation>
    </message>
    <message>
        <source>Several of its tokens have the same text, which llama.cpp rejects.</source>
        <translation>Mehrere seiner Token haben denselben Text, was llama.cpp ablehnt.</translation>
    </message>
    <message>
        <source>Some of the first {n} tokens differ. They are special tokens and don&apos;t matter.</source>
        <translation>Einige der ersten {n} Token unterscheiden sich. Es sind Sondertoken und spielen keine Rolle.</translation>
    </message>
    <message>
        <source>Some tokens have different types but the same text.</source>
        <translation>Einige Token haben verschiedene Typen, aber denselben Text.</translation>
    </message>
    <message>
        <source>Some tokens differ, but only where one model has an unused or padding token.</source>
        <translation>Einige Token unterscheiden sich, aber nur dort, wo ein Modell ein unbenutztes oder Fülltoken hat.</translation>
    </message>
    <message>
        <source>Restart specchat.</source>
        <translation>Starten Sie specchat neu.</translation>
    </message>
    <message>
        <source>Target: {target}. Draft: {draft}.</source>
        <translation>Ziel: {target}. Entwurf: {draft}.</translation>
    </message>
    <message>
        <source>The target starts text with token {target}, the draft with {draft}.</source>
        <translation>Das Ziel beginnt Texte mit Token {target}, der Entwurf mit {draft}.</translation>
    </message>
    <message>
        <source>The target ends text with token {target}, the draft with {draft}.</source>
        <translation>Das Ziel beendet Texte mit Token {target}, der Entwurf mit {draft}.</translation>
    </message>
    <message>
        <source>Couldn&apos;t query the Hub: {reason}</source>
        <translation>Der Hub konnte nicht abgefragt werden: {reason}</translation>
    </message>
    <message>
        <source>The Hub has disabled {repo}.</source>
        <translation>Der Hub hat {repo} deaktiviert.</translation>
    </message>
    <message>
        <source>The Hub has no public repository {repo}.</source>
        <translation>Der Hub hat kein öffentliches Repository {repo}.</translation>
    </message>
    <message>
        <source>The Hub has no repository {repo} that your token can access.</source>
        <translation>Der Hub hat kein Repository {repo}, auf das Ihr Zugriffstoken zugreifen kann.</translation>
    </message>
    <message>
        <source>The JSON schema is not supported: {reason}.</source>
        <translation>Das JSON-Schema wird nicht unterstützt: {reason}.</translation>
    </message>
    <message>
        <source>The JSON schema is too large or nested too deeply.</source>
        <translation>Das JSON-Schema ist zu groß oder zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>The authors of {repo} haven&apos;t approved your request yet.</source>
        <translation>Die Autoren von {repo} haben Ihre Anfrage noch nicht freigegeben.</translation>
    </message>
    <message>
        <source>The certificate for {host} is not trusted, so the connection is not secure.</source>
        <translation>Das Zertifikat für {host} ist nicht vertrauenswürdig, also ist die Verbindung nicht sicher.</translation>
    </message>
    <message>
        <source>The chat template failed: {reason}</source>
        <translation>Die Chat-Vorlage ist fehlgeschlagen: {reason}</translation>
    </message>
    <message>
        <source>The chats are in {new}. Rename that file to {name}.</source>
        <translation>Die Chats sind in {new}. Benennen Sie diese Datei in {name} um.</translation>
    </message>
    <message>
        <source>The connection to {host} was lost.</source>
        <translation>Die Verbindung zu {host} ist abgebrochen.</translation>
    </message>
    <message>
        <source>The context of {n} tokens is full.</source>
        <translation>Der Kontext von {n} Token ist voll.</translation>
    </message>
    <message>
        <source>The chat has {n} messages, but the context holds only {all} tokens, including the answer.</source>
        <translation>Der Chat hat {n} Nachrichten, aber der Kontext fasst mit der Antwort nur {all} Token.</translation>
    </message>
    <message>
        <source>The disk is full: can&apos;t write {name}.</source>
        <translation>Der Datenträger ist voll: {name} lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>The draft is a recurrent model that can&apos;t roll back tokens, so it is not used.</source>
        <translation>Der Entwurf ist ein rekurrentes Modell, das Token nicht zurücknehmen kann, und wird daher nicht benutzt.</translation>
    </message>
    <message>
        <source>The draft has {n} more padding tokens than the target. They are never used.</source>
        <translation>Der Entwurf hat {n} Fülltoken mehr als das Ziel. Sie werden nie benutzt.</translation>
    </message>
    <message>
        <source>The draft has {n} more tokens than the target. The target always rejects them.</source>
        <translation>Der Entwurf hat {n} Token mehr als das Ziel. Das Ziel lehnt sie immer ab.</translation>
    </message>
    <message>
        <source>The draft has no token list.</source>
        <translation>Der Entwurf hat keine Tokenliste.</translation>
    </message>
    <message>
        <source>The draft was trained with a different pre-tokenizer, so fewer guesses may be accepted.</source>
        <translation>Der Entwurf wurde mit einem anderen Pre-Tokenizer trainiert, daher werden vielleicht weniger Vorschläge angenommen.</translation>
    </message>
    <message>
        <source>The draft was trained for this target.</source>
        <translation>Der Entwurf wurde für dieses Ziel trainiert.</translation>
    </message>
    <message>
        <source>The drafter {name} failed to start: {reason}</source>
        <translation>Die Vorschlagsart {name} konnte nicht starten: {reason}</translation>
    </message>
    <message>
        <source>The results vary too much (not remembered): {guesser} with {length} was {times}× as fast as plain decoding, with a range of {at_least}× to {at_most}×. Use more rounds.</source>
        <translation>Die Ergebnisse schwanken zu stark (sie werden nicht gemerkt): {guesser} ({length}) war {times}× so schnell wie ohne Vorschläge, bei einer Spanne von {at_least}× bis {at_most}×. Wählen Sie mehr Runden.</translation>
    </message>
    <message>
        <source>The file no longer exists.</source>
        <translation>Die Datei gibt es nicht mehr.</translation>
    </message>
    <message>
        <source>The file may be damaged or too new for this version: download it again, or update specchat.</source>
        <translation>Die Datei ist vielleicht beschädigt oder zu neu für diese Version: Laden Sie sie neu herunter, oder aktualisieren Sie specchat.</translation>
    </message>
    <message>
        <source>Checking {name} took longer than {n} seconds.</source>
        <translation>Die Prüfung von {name} hat länger als {n} Sekunden gedauert.</translation>
    </message>
    <message>
        <source>Full 32-bit precision: twice the original size with no quality gain.</source>
        <translation>Volle 32-Bit-Genauigkeit: doppelte Originalgröße ohne Qualitätsgewinn.</translation>
    </message>
    <message>
        <source>The grammar has no rule {name}.</source>
        <translation>Die Grammatik hat keine Regel {name}.</translation>
    </message>
    <message>
        <source>The grammar has a syntax error at character {at}.</source>
        <translation>Die Grammatik hat bei Zeichen {at} einen Syntaxfehler.</translation>
    </message>
    <message>
        <source>The grammar or JSON schema is too large or too ambiguous.</source>
        <translation>Die Grammatik oder das JSON-Schema ist zu groß oder zu mehrdeutig.</translation>
    </message>
    <message>
        <source>The draft head failed (llama.cpp code {code}).</source>
        <translation>Der Entwurfskopf ist fehlgeschlagen (llama.cpp-Code {code}).</translation>
    </message>
    <message>
        <source>Can&apos;t save the header of {name} in {folder}: {reason}.</source>
        <translation>Der Header von {name} lässt sich nicht in {folder} speichern: {reason}.</translation>
    </message>
    <message>
        <source>The helper process sent an invalid reply.</source>
        <translation>Der Hilfsprozess hat eine ungültige Antwort gesendet.</translation>
    </message>
    <message>
        <source>The helper process failed to start: {reason}</source>
        <translation>Der Hilfsprozess konnte nicht starten: {reason}</translation>
    </message>
    <message>
        <source>The helper process failed to start: {reason}.</source>
        <translation>Der Hilfsprozess konnte nicht starten: {reason}.</translation>
    </message>
    <message>
        <source>The helper process crashed.</source>
        <translation>Der Hilfsprozess ist abgestürzt.</translation>
    </message>
    <message>
        <source>The helper process crashed: {words}</source>
        <translation>Der Hilfsprozess ist abgestürzt: {words}</translation>
    </message>
    <message>
        <source>The helper process has exited.</source>
        <translation>Der Hilfsprozess ist beendet.</translation>
    </message>
    <message>
        <source>The helper process ran out of memory.</source>
        <translation>Dem Hilfsprozess ging der Speicher aus.</translation>
    </message>
    <message>
        <source>The helper process took longer than {n} seconds.</source>
        <translation>Der Hilfsprozess brauchte länger als {n} Sekunden.</translation>
    </message>
    <message>
        <source>The helper process used too much memory.</source>
        <translation>Der Hilfsprozess brauchte zu viel Speicher.</translation>
    </message>
    <message>
        <source>The helper process was suspended, or this computer is too busy.</source>
        <translation>Der Hilfsprozess wurde angehalten, oder dieser Computer ist überlastet.</translation>
    </message>
    <message>
        <source>The API key is stored in this computer&apos;s keyring. Requests must include it.</source>
        <translation>Der API-Schlüssel liegt im Schlüsselbund dieses Computers. Anfragen müssen ihn enthalten.</translation>
    </message>
    <message>
        <source>Couldn&apos;t delete the key from the keyring.</source>
        <translation>Der Schlüssel ließ sich nicht aus dem Schlüsselbund löschen.</translation>
    </message>
    <message>
        <source>Couldn&apos;t delete the token from the keyring.</source>
        <translation>Das Zugriffstoken ließ sich nicht aus dem Schlüsselbund löschen.</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the license of {name}.</source>
        <translation>Die Lizenz von {name} konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the list of licenses.</source>
        <translation>Die Liste der Lizenzen konnte nicht gelesen werden.</translation>
    </message>
    <message>
        <source>Please report this. Details are in the log in {logs}.</source>
        <translation>Bitte melden Sie das. Details stehen im Protokoll in {logs}.</translation>
    </message>
    <message>
        <source>Please report this. Details are in the log.</source>
        <translation>Bitte melden Sie das. Details stehen im Protokoll.</translation>
    </message>
    <message>
        <source>Message too long: {needed} tokens, room for {free}.</source>
        <translation>Nachricht zu lang: {needed} Token, Platz für {free}.</translation>
    </message>
    <message>
        <source>The model produced invalid values (NaN).</source>
        <translation>Das Modell hat ungültige Werte (NaN) berechnet.</translation>
    </message>
    <message>
        <source>The grammar or JSON schema allows none of the model&apos;s tokens here.</source>
        <translation>Grammatik oder JSON-Schema erlauben hier keines der Token des Modells.</translation>
    </message>
    <message>
        <source>The model is loading.</source>
        <translation>Das Modell wird geladen.</translation>
    </message>
    <message>
        <source>Couldn&apos;t render the model&apos;s chat template.</source>
        <translation>Die Chat-Vorlage des Modells konnte nicht angewendet werden.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template failed: {reason}.</source>
        <translation>Die Chat-Vorlage des Modells ist fehlgeschlagen: {reason}.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template has a syntax error: {reason}.</source>
        <translation>Die Chat-Vorlage des Modells hat einen Syntaxfehler: {reason}.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template needed too much memory.</source>
        <translation>Die Chat-Vorlage des Modells brauchte zu viel Speicher.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template produced no text.</source>
        <translation>Die Chat-Vorlage des Modells ergab keinen Text.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template produced too much text.</source>
        <translation>Die Chat-Vorlage des Modells ergab zu viel Text.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template ran too long.</source>
        <translation>Die Chat-Vorlage des Modells lief zu lange.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template rejected the chat: {reason}.</source>
        <translation>Die Chat-Vorlage des Modells hat den Chat abgelehnt: {reason}.</translation>
    </message>
    <message>
        <source>The models don&apos;t fit in memory together, so they were loaded one at a time.</source>
        <translation>Die Modelle passen nicht zusammen in den Speicher und wurden daher nacheinander geladen.</translation>
    </message>
    <message>
        <source>The model name is empty.</source>
        <translation>Der Modellname ist leer.</translation>
    </message>
    <message>
        <source>The part {name} is missing.</source>
        <translation>Der Teil {name} fehlt.</translation>
    </message>
    <message>
        <source>The path to {name} is too long.</source>
        <translation>Der Pfad von {name} ist zu lang.</translation>
    </message>
    <message>
        <source>The prompt contains a token that is not in the model&apos;s vocabulary.</source>
        <translation>Der Prompt enthält ein Token, das nicht im Vokabular des Modells ist.</translation>
    </message>
    <message>
        <source>The prompt has {needed} tokens, but the context holds only {all}, including the answer.</source>
        <translation>Der Prompt hat {needed} Token, aber der Kontext fasst mit der Antwort nur {all}.</translation>
    </message>
    <message>
        <source>The prompt is empty.</source>
        <translation>Der Prompt ist leer.</translation>
    </message>
    <message>
        <source>The prompt is far longer than the context, which holds {all} tokens, including the answer.</source>
        <translation>Der Prompt ist viel länger als der Kontext, der mit der Antwort {all} Token fasst.</translation>
    </message>
    <message>
        <source>The proxy refused the connection to {host}.</source>
        <translation>Der Proxy hat die Verbindung zu {host} abgelehnt.</translation>
    </message>
    <message>
        <source>Couldn&apos;t save the report: {reason}.</source>
        <translation>Der Bericht ließ sich nicht speichern: {reason}.</translation>
    </message>
    <message>
        <source>The server is shutting down.</source>
        <translation>Der Server wird beendet.</translation>
    </message>
    <message>
        <source>The system ran out of memory while checking {name}.</source>
        <translation>Bei der Prüfung von {name} ist der Speicher ausgegangen.</translation>
    </message>
    <message>
        <source>The target is a recurrent model that can&apos;t roll back tokens, so speculation is off.</source>
        <translation>Das Ziel ist ein rekurrentes Modell, das Token nicht zurücknehmen kann, also gibt es keine Vorschläge.</translation>
    </message>
    <message>
        <source>The target has {n} more padding tokens than the draft. They are never used.</source>
        <translation>Das Ziel hat {n} Fülltoken mehr als der Entwurf. Sie werden nie benutzt.</translation>
    </message>
    <message>
        <source>The target has {n} more tokens than the draft. The draft can&apos;t guess them.</source>
        <translation>Das Ziel hat {n} Token mehr als der Entwurf. Der Entwurf kann sie nicht vorschlagen.</translation>
    </message>
    <message>
        <source>The target has no token list.</source>
        <translation>Das Ziel hat keine Tokenliste.</translation>
    </message>
    <message>
        <source>The target is a draft head and can&apos;t answer.</source>
        <translation>Das Ziel ist ein Entwurfskopf und kann nicht antworten.</translation>
    </message>
    <message>
        <source>The target has {target} tokens, the draft {draft}.</source>
        <translation>Das Ziel hat {target} Token, der Entwurf {draft}.</translation>
    </message>
    <message>
        <source>The tensor {tensor} is missing.</source>
        <translation>Der Tensor {tensor} fehlt.</translation>
    </message>
    <message>
        <source>The token comes from HF_TOKEN, which overrides any other.</source>
        <translation>Das Zugriffstoken kommt aus HF_TOKEN, das Vorrang vor jedem anderen hat.</translation>
    </message>
    <message>
        <source>Couldn&apos;t check the token: {reason}</source>
        <translation>Das Zugriffstoken konnte nicht geprüft werden: {reason}</translation>
    </message>
    <message>
        <source>The token is stored in this computer&apos;s keyring.</source>
        <translation>Das Zugriffstoken liegt im Schlüsselbund dieses Computers.</translation>
    </message>
    <message>
        <source>Using the token from hf auth login. A token entered here overrides it.</source>
        <translation>Das Zugriffstoken stammt von hf auth login. Eines, das Sie hier eingeben, hat Vorrang.</translation>
    </message>
    <message>
        <source>The tokenizers have different types: {target} and {draft}.</source>
        <translation>Die Tokenizer haben verschiedene Typen: {target} und {draft}.</translation>
    </message>
    <message>
        <source>The tools or template variables are nested too deeply.</source>
        <translation>Die Werkzeuge oder die Variablen der Vorlage sind zu tief verschachtelt.</translation>
    </message>
    <message>
        <source>The models end answers with different tokens, which costs at most the last guess.</source>
        <translation>Die Modelle beenden Antworten mit verschiedenen Token, was höchstens den letzten Vorschlag kostet.</translation>
    </message>
    <message>
        <source>The models define different start tokens, but neither adds one.</source>
        <translation>Die Modelle definieren verschiedene Starttoken, aber keines fügt eines ein.</translation>
    </message>
    <message>
        <source>The specchat window is open.</source>
        <translation>Das Fenster von specchat ist offen.</translation>
    </message>
    <message>
        <source>There are no models in {path}.</source>
        <translation>In {path} sind keine Modelle.</translation>
    </message>
    <message>
        <source>There are no chats to export.</source>
        <translation>Es gibt keine Chats zu exportieren.</translation>
    </message>
    <message>
        <source>Unknown device: {name}.</source>
        <translation>Unbekanntes Gerät: {name}.</translation>
    </message>
    <message>
        <source>Unknown draft type: {name}.</source>
        <translation>Unbekannte Vorschlagsart: {name}.</translation>
    </message>
    <message>
        <source>File not found: {path}.</source>
        <translation>Datei nicht gefunden: {path}.</translation>
    </message>
    <message>
        <source>Folder not found: {path}.</source>
        <translation>Ordner nicht gefunden: {path}.</translation>
    </message>
    <message>
        <source>No {name} head was found for this target.</source>
        <translation>Für dieses Ziel wurde kein {name}-Kopf gefunden.</translation>
    </message>
    <message>
        <source>No space left for {path}: {reason}.</source>
        <translation>Für {path} ist kein Platz mehr: {reason}.</translation>
    </message>
    <message>
        <source>Unknown tool: {name}.</source>
        <translation>Unbekanntes Werkzeug: {name}.</translation>
    </message>
    <message>
        <source>Unknown workload: {name}.</source>
        <translation>Unbekannte Aufgabenart: {name}.</translation>
    </message>
    <message>
        <source>Can&apos;t find {name}.</source>
        <translation>{name} wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>No prompts specified.</source>
        <translation>Es sind keine Prompts angegeben.</translation>
    </message>
    <message>
        <source>You can add at most {most} pairs.</source>
        <translation>Sie können höchstens {most} Paare hinzufügen.</translation>
    </message>
    <message>
        <source>Not enough memory for {name}: {reason}</source>
        <translation>Nicht genug Speicher für {name}: {reason}</translation>
    </message>
    <message>
        <source>This build of llama.cpp doesn&apos;t support draft heads: {name} is missing.</source>
        <translation>Dieser Build von llama.cpp unterstützt keine Entwurfsköpfe: {name} fehlt.</translation>
    </message>
    <message>
        <source>Not a valid key: it is too long or contains spaces or unusual characters.</source>
        <translation>Kein gültiger Schlüssel: Er ist zu lang oder enthält Leerzeichen oder ungewöhnliche Zeichen.</translation>
    </message>
    <message>
        <source>This computer has no keyring, so the token is kept only until specchat quits.</source>
        <translation>Dieser Computer hat keinen Schlüsselbund, also bleibt das Zugriffstoken nur bis zum Beenden von specchat.</translation>
    </message>
    <message>
        <source>This chat was deleted.</source>
        <translation>Dieser Chat wurde gelöscht.</translation>
    </message>
    <message>
        <source>Not a valid token: it contains spaces or unusual characters.</source>
        <translation>Kein gültiges Zugriffstoken: Es enthält Leerzeichen oder ungewöhnliche Zeichen.</translation>
    </message>
    <message>
        <source>This message was deleted.</source>
        <translation>Diese Nachricht wurde gelöscht.</translation>
    </message>
    <message>
        <source>Couldn&apos;t save this pair: {reason}.</source>
        <translation>Dieses Paar lässt sich nicht speichern: {reason}.</translation>
    </message>
    <message>
        <source>This text is too long to save.</source>
        <translation>Dieser Text ist zu lang zum Speichern.</translation>
    </message>
    <message>
        <source>Tiny, severe quality loss: only if nothing larger fits.</source>
        <translation>Winzig, starker Qualitätsverlust: nur, wenn nichts Größeres passt.</translation>
    </message>
    <message>
        <source>Token {token} is &apos;{target}&apos; in the target, &apos;{draft}&apos; in the draft.</source>
        <translation>Token {token} ist im Ziel „{target}“, im Entwurf „{draft}“.</translation>
    </message>
    <message>
        <source>Tokens that differ, not counting unused ones: {n}.</source>
        <translation>Token, die sich unterscheiden, ohne unbenutzte: {n}.</translation>
    </message>
    <message>
        <source>Tokens: {tokens}.</source>
        <translation>Token: {tokens}.</translation>
    </message>
    <message>
        <source>Try again in a few minutes.</source>
        <translation>Versuchen Sie es in ein paar Minuten erneut.</translation>
    </message>
    <message>
        <source>Try again later, and check whether this network requires you to log in first.</source>
        <translation>Versuchen Sie es später erneut, und prüfen Sie, ob dieses Netz zuerst eine Anmeldung verlangt.</translation>
    </message>
    <message>
        <source>Try again later.</source>
        <translation>Versuchen Sie es später erneut.</translation>
    </message>
    <message>
        <source>Try again.</source>
        <translation>Versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Run llama-server by itself to see why, or omit --peer.</source>
        <translation>Starten Sie llama-server für sich, um den Grund zu sehen, oder lassen Sie --peer weg.</translation>
    </message>
    <message>
        <source>Unzip it and attach the text files inside.</source>
        <translation>Entpacken Sie es, und hängen Sie die Textdateien darin an.</translation>
    </message>
    <message>
        <source>Unzip it first.</source>
        <translation>Entpacken Sie die Datei zuerst.</translation>
    </message>
    <message>
        <source>Unset it to access the Hub.</source>
        <translation>Entfernen Sie die Variable, um auf den Hub zuzugreifen.</translation>
    </message>
    <message>
        <source>Update or remove its package.</source>
        <translation>Aktualisieren oder entfernen Sie ihr Paket.</translation>
    </message>
    <message>
        <source>Update specchat, or set SPECCHAT_HOME to another folder.</source>
        <translation>Aktualisieren Sie specchat, oder setzen Sie SPECCHAT_HOME auf einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Update specchat.</source>
        <translation>Aktualisieren Sie specchat.</translation>
    </message>
    <message>
        <source>Update the graphics driver, or continue without the GPU.</source>
        <translation>Aktualisieren Sie den Grafiktreiber, oder fahren Sie ohne die GPU fort.</translation>
    </message>
    <message>
        <source>Update specchat, or download another GGUF version.</source>
        <translation>Aktualisieren Sie specchat, oder laden Sie eine andere GGUF-Version herunter.</translation>
    </message>
    <message>
        <source>Use a larger context (-c {larger}), or shorten the prompt.</source>
        <translation>Verwenden Sie einen größeren Kontext (-c {larger}), oder kürzen Sie den Prompt.</translation>
    </message>
    <message>
        <source>Use a larger context (-c), or shorten the message.</source>
        <translation>Verwenden Sie einen größeren Kontext (-c), oder kürzen Sie die Nachricht.</translation>
    </message>
    <message>
        <source>Use a larger context (-c), or start a new chat.</source>
        <translation>Verwenden Sie einen größeren Kontext (-c), oder beginnen Sie einen neuen Chat.</translation>
    </message>
    <message>
        <source>Use a smaller context (-c), a smaller cache type, or fewer GPU layers (-ngl).</source>
        <translation>Verwenden Sie einen kleineren Kontext (-c), einen kleineren Cache-Typ oder weniger GPU-Schichten (-ngl).</translation>
    </message>
    <message>
        <source>Use a smaller context (-c), or a smaller cache type.</source>
        <translation>Verwenden Sie einen kleineren Kontext (-c) oder einen kleineren Cache-Typ.</translation>
    </message>
    <message>
        <source>Use a smaller context (-c), or choose a smaller model.</source>
        <translation>Verwenden Sie einen kleineren Kontext (-c), oder wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>No download needed.</source>
        <translation>Kein Download nötig.</translation>
    </message>
    <message>
        <source>Use letters, digits, and punctuation.</source>
        <translation>Verwenden Sie Buchstaben, Ziffern und Satzzeichen.</translation>
    </message>
    <message>
        <source>Use {guesser} with {length} for {gaining}, but not for {losing}: {times}× as fast as plain decoding overall.</source>
        <translation>Empfehlung: {guesser} ({length}) für {gaining}, aber nicht für {losing}; insgesamt {times}× so schnell wie ohne Vorschläge.</translation>
    </message>
    <message>
        <source>Use {guesser} with {length}: {times}× as fast as plain decoding on these prompts (median; with high confidence, at least {at_least}×).</source>
        <translation>Empfehlung: {guesser} ({length}), bei diesen Prompts {times}× so schnell wie ohne Vorschläge (Median; mit hoher Sicherheit mindestens {at_least}×).</translation>
    </message>
    <message>
        <source>Use {guesser} with {length}: {times}× as fast as plain decoding overall, and clearly faster for {gaining}.</source>
        <translation>Empfehlung: {guesser} ({length}), insgesamt {times}× so schnell wie ohne Vorschläge, deutlich schneller bei {gaining}.</translation>
    </message>
    <message>
        <source>Very small, noticeable quality loss.</source>
        <translation>Sehr klein, merklicher Qualitätsverlust.</translation>
    </message>
    <message>
        <source>Wait for their approval, or choose another model.</source>
        <translation>Warten Sie auf die Freigabe, oder wählen Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Wait until it has finished, then resume the download.</source>
        <translation>Warten Sie, bis es fertig ist, und setzen Sie den Download dann fort.</translation>
    </message>
    <message>
        <source>Wait a moment, then try again.</source>
        <translation>Warten Sie einen Moment, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Wait a moment, then try again. The limit is higher with an access token.</source>
        <translation>Warten Sie einen Moment, und versuchen Sie es erneut. Mit einem Zugriffstoken sind mehr Anfragen erlaubt.</translation>
    </message>
    <message>
        <source>{host} sent an unexpected reply instead of update information.</source>
        <translation>{host} hat statt Angaben zu Aktualisierungen etwas Unerwartetes gesendet.</translation>
    </message>
    <message>
        <source>{host} doesn&apos;t respond like the Hugging Face Hub.</source>
        <translation>{host} antwortet nicht wie der Hugging Face Hub.</translation>
    </message>
    <message>
        <source>{guesser} with {length} is {percent} % slower than plain decoding.</source>
        <translation>{guesser} ({length}) ist {percent} % langsamer als ohne Vorschläge.</translation>
    </message>
    <message>
        <source>Without a key, any program on this computer can use the server.</source>
        <translation>Ohne Schlüssel kann jedes Programm auf diesem Computer den Server benutzen.</translation>
    </message>
    <message>
        <source>Available workloads: {known}.</source>
        <translation>Aufgabenarten: {known}.</translation>
    </message>
    <message>
        <source>Write one object per line, such as {&quot;workload&quot;: &quot;code&quot;, &quot;prompt&quot;: &quot;Write a loop.&quot;}.</source>
        <translation>Schreiben Sie ein Objekt je Zeile, etwa {&quot;workload&quot;: &quot;code&quot;, &quot;prompt&quot;: &quot;Write a loop.&quot;}.</translation>
    </message>
    <message>
        <source>Write one prompt per line.</source>
        <translation>Schreiben Sie einen Prompt je Zeile.</translation>
    </message>
    <message>
        <source>You haven&apos;t accepted the license for {repo} yet.</source>
        <translation>Sie haben die Lizenz von {repo} noch nicht angenommen.</translation>
    </message>
    <message>
        <source>You don&apos;t have access to {repo}: its authors or your token&apos;s permissions don&apos;t allow it.</source>
        <translation>Sie haben keinen Zugang zu {repo}: Die Autoren oder die Rechte Ihres Zugriffstokens erlauben es nicht.</translation>
    </message>
    <message>
        <source>a PDF</source>
        <translation>ein PDF</translation>
    </message>
    <message>
        <source>a compressed file</source>
        <translation>eine komprimierte Datei</translation>
    </message>
    <message>
        <source>a database</source>
        <translation>eine Datenbank</translation>
    </message>
    <message>
        <source>a numeric data file</source>
        <translation>eine Datei mit numerischen Daten</translation>
    </message>
    <message>
        <source>a font</source>
        <translation>eine Schriftart</translation>
    </message>
    <message>
        <source>a key that is not text</source>
        <translation>ein Schlüssel, der kein Text ist</translation>
    </message>
    <message>
        <source>a key without a name</source>
        <translation>ein Schlüssel ohne Namen</translation>
    </message>
    <message>
        <source>a model</source>
        <translation>ein Modell</translation>
    </message>
    <message>
        <source>an image</source>
        <translation>ein Bild</translation>
    </message>
    <message>
        <source>a program</source>
        <translation>ein Programm</translation>
    </message>
    <message>
        <source>an audio file</source>
        <translation>eine Audiodatei</translation>
    </message>
    <message>
        <source>a string of {length} bytes</source>
        <translation>eine Zeichenkette von {length} Byte</translation>
    </message>
    <message>
        <source>a video</source>
        <translation>ein Video</translation>
    </message>
    <message>
        <source>about {percent} % accepted (made for this target)</source>
        <translation>etwa {percent} % angenommen (für dieses Ziel gemacht)</translation>
    </message>
    <message>
        <source>about {percent} % accepted (related model)</source>
        <translation>etwa {percent} % angenommen (verwandtes Modell)</translation>
    </message>
    <message>
        <source>about {times}× as fast</source>
        <translation>etwa {times}-mal so schnell</translation>
    </message>
    <message>
        <source>an archive</source>
        <translation>ein Archiv</translation>
    </message>
    <message>
        <source>an e-book</source>
        <translation>ein E-Book</translation>
    </message>
    <message>
        <source>an office document</source>
        <translation>ein Office-Dokument</translation>
    </message>
    <message>
        <source>default settings</source>
        <translation>Standardeinstellungen</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>earlier text</source>
        <translation>früherer Text</translation>
    </message>
    <message>
        <source>general.alignment is {alignment}</source>
        <translation>general.alignment ist {alignment}</translation>
    </message>
    <message>
        <source>general.architecture is not a name</source>
        <translation>general.architecture ist kein Name</translation>
    </message>
    <message>
        <source>barely faster</source>
        <translation>kaum schneller</translation>
    </message>
    <message>
        <source>{repo} is not public, and no Hugging Face access token is set.</source>
        <translation>{repo} ist nicht öffentlich, und es ist kein Zugriffstoken von Hugging Face gesetzt.</translation>
    </message>
    <message>
        <source>{times}× in your chats</source>
        <translation>{times}× in Ihren Chats</translation>
    </message>
    <message>
        <source>it sent an invalid reply</source>
        <translation>es hat eine ungültige Antwort gesendet</translation>
    </message>
    <message>
        <source>it claims to be part {part} of {all}</source>
        <translation>sie behauptet, Teil {part} von {all} zu sein</translation>
    </message>
    <message>
        <source>it claims to have {count} keys</source>
        <translation>sie behauptet, {count} Schlüssel zu haben</translation>
    </message>
    <message>
        <source>it claims to have {count} tensors</source>
        <translation>sie behauptet, {count} Tensoren zu haben</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>kein Grund angegeben</translation>
    </message>
    <message>
        <source>it has {tokens} tokens but {types} token types</source>
        <translation>sie hat {tokens} Token, aber {types} Token-Arten</translation>
    </message>
    <message>
        <source>permission denied</source>
        <translation>Zugriff verweigert</translation>
    </message>
    <message>
        <source>its header is longer than {limit} bytes</source>
        <translation>ihr Header ist länger als {limit} Byte</translation>
    </message>
    <message>
        <source>its process ended ({code})</source>
        <translation>sein Prozess endete ({code})</translation>
    </message>
    <message>
        <source>its process was suspended</source>
        <translation>sein Prozess wurde angehalten</translation>
    </message>
    <message>
        <source>its tokenizer has no list of tokens</source>
        <translation>ihr Tokenizer hat keine Liste der Token</translation>
    </message>
    <message>
        <source>llama-server didn&apos;t respond: {reason}</source>
        <translation>llama-server hat nicht geantwortet: {reason}</translation>
    </message>
    <message>
        <source>llama.cpp couldn&apos;t be started: {reason}</source>
        <translation>llama.cpp ließ sich nicht starten: {reason}</translation>
    </message>
    <message>
        <source>llama.cpp failed (code {code}).</source>
        <translation>llama.cpp ist fehlgeschlagen (Code {code}).</translation>
    </message>
    <message>
        <source>llama.cpp didn&apos;t report its memory needs.</source>
        <translation>llama.cpp hat seinen Speicherbedarf nicht gemeldet.</translation>
    </message>
    <message>
        <source>llama.cpp gave no reason</source>
        <translation>llama.cpp nennt keinen Grund</translation>
    </message>
    <message>
        <source>llama.cpp stopped: {reason}.</source>
        <translation>llama.cpp wurde beendet: {reason}.</translation>
    </message>
    <message>
        <source>measured here: {percent} % slower</source>
        <translation>hier gemessen: {percent} % langsamer</translation>
    </message>
    <message>
        <source>measured here: {times}×</source>
        <translation>hier gemessen: {times}×</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>der Speicher hat nicht gereicht</translation>
    </message>
    <message>
        <source>out of memory.</source>
        <translation>der Speicher ging aus.</translation>
    </message>
    <message>
        <source>it claims to have more MTP layers than its {layers} layers in total</source>
        <translation>sie behauptet, mehr MTP-Schichten zu haben als ihre {layers} Schichten insgesamt</translation>
    </message>
    <message>
        <source>no faster in your chats</source>
        <translation>in Ihren Chats nicht schneller</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>no progress for {n} seconds</source>
        <translation>{n} Sekunden lang kein Fortschritt</translation>
    </message>
    <message>
        <source>maybe {percent} % accepted (another family)</source>
        <translation>vielleicht {percent} % angenommen (andere Familie)</translation>
    </message>
    <message>
        <source>no response</source>
        <translation>keine Antwort</translation>
    </message>
    <message>
        <source>plain decoding</source>
        <translation>ohne Vorschläge</translation>
    </message>
    <message>
        <source>same vocabulary</source>
        <translation>gleiches Vokabular</translation>
    </message>
    <message>
        <source>slower than the target alone</source>
        <translation>langsamer als das Ziel allein</translation>
    </message>
    <message>
        <source>specchat crashed last time before its window opened: {reason}</source>
        <translation>specchat ist beim letzten Mal abgestürzt, bevor das Fenster aufging: {reason}</translation>
    </message>
    <message>
        <source>specchat crashed last time while loading {name} on the GPU: {reason}</source>
        <translation>specchat ist beim letzten Mal abgestürzt, als es {name} auf die GPU lud: {reason}</translation>
    </message>
    <message>
        <source>specchat crashed last time while loading {name}: {reason}</source>
        <translation>specchat ist beim letzten Mal abgestürzt, als es {name} lud: {reason}</translation>
    </message>
    <message>
        <source>specchat crashed last time while using the GPU: {reason}</source>
        <translation>specchat ist beim letzten Mal abgestürzt, als es die GPU benutzte: {reason}</translation>
    </message>
    <message>
        <source>specchat crashed last time: {reason}</source>
        <translation>specchat ist beim letzten Mal abgestürzt: {reason}</translation>
    </message>
    <message>
        <source>specchat didn&apos;t download {name}.</source>
        <translation>specchat hat {name} nicht heruntergeladen.</translation>
    </message>
    <message>
        <source>specchat didn&apos;t download {name}. Another program may need it.</source>
        <translation>specchat hat {name} nicht heruntergeladen: Vielleicht braucht es ein anderes Programm.</translation>
    </message>
    <message>
        <source>specchat doesn&apos;t support infill with {engine}.</source>
        <translation>specchat unterstützt Infill mit {engine} nicht.</translation>
    </message>
    <message>
        <source>specchat is quitting.</source>
        <translation>specchat wird beendet.</translation>
    </message>
    <message>
        <source>specchat hit an internal error.</source>
        <translation>In specchat ist ein interner Fehler aufgetreten.</translation>
    </message>
    <message>
        <source>specchat hit an internal error: {kind}: {mistake}</source>
        <translation>In specchat ist ein interner Fehler aufgetreten: {kind}: {mistake}</translation>
    </message>
    <message>
        <source>the DFlash head</source>
        <translation>der DFlash-Kopf</translation>
    </message>
    <message>
        <source>the DSpark head</source>
        <translation>der DSpark-Kopf</translation>
    </message>
    <message>
        <source>the EAGLE-3 head</source>
        <translation>der EAGLE-3-Kopf</translation>
    </message>
    <message>
        <source>the draft</source>
        <translation>der Entwurf</translation>
    </message>
    <message>
        <source>the key {key} appears twice</source>
        <translation>der Schlüssel {key} kommt zweimal vor</translation>
    </message>
    <message>
        <source>the system stopped it, possibly because memory ran out</source>
        <translation>das System hat es beendet, vielleicht weil der Speicher nicht reichte</translation>
    </message>
    <message>
        <source>the tensor {tensor} appears twice</source>
        <translation>der Tensor {tensor} kommt zweimal vor</translation>
    </message>
    <message>
        <source>the tensor {tensor} has a negative dimension</source>
        <translation>der Tensor {tensor} hat eine negative Dimension</translation>
    </message>
    <message>
        <source>the tensor {tensor} has rows of {n} values, which {type} can&apos;t store</source>
        <translation>der Tensor {tensor} hat Zeilen von {n} Werten, die {type} nicht speichern kann</translation>
    </message>
    <message>
        <source>the tensor {tensor} has {n} dimensions</source>
        <translation>der Tensor {tensor} hat {n} Dimensionen</translation>
    </message>
    <message>
        <source>the tensor {tensor} has the wrong offset</source>
        <translation>der Tensor {tensor} hat einen falschen Offset</translation>
    </message>
    <message>
        <source>the tensor {tensor} has an unknown type: {type}</source>
        <translation>der Tensor {tensor} hat einen unbekannten Typ: {type}</translation>
    </message>
    <message>
        <source>this computer has no such address</source>
        <translation>dieser Computer hat keine solche Adresse</translation>
    </message>
    <message>
        <source>up to 1 guess</source>
        <translation>bis zu 1 Vorschlag</translation>
    </message>
    <message>
        <source>up to {n} guesses</source>
        <translation>bis zu {n} Vorschläge</translation>
    </message>
    <message>
        <source>Can&apos;t use {address} for update checks.</source>
        <translation>{address} lässt sich nicht für die Suche nach Aktualisierungen benutzen.</translation>
    </message>
    <message>
        <source>{address} is not a valid Hub URL.</source>
        <translation>{address} ist keine gültige Hub-URL.</translation>
    </message>
    <message>
        <source>{draft} can&apos;t draft for {target}: {reason}</source>
        <translation>{draft} kann für {target} keine Vorschläge machen: {reason}</translation>
    </message>
    <message>
        <source>{fast} is fastest: {n} tokens/s with {way}. {slow} reaches {m} with {other}.</source>
        <translation>{fast} ist am schnellsten: {n} Token/s ({way}). {slow} erreicht {m} Token/s ({other}).</translation>
    </message>
    <message>
        <source>{file} arrived damaged twice.</source>
        <translation>{file} kam zweimal beschädigt an.</translation>
    </message>
    <message>
        <source>{file} is not the size that {host} reported.</source>
        <translation>{file} hat nicht die Größe, die {host} gemeldet hat.</translation>
    </message>
    <message>
        <source>{guesser} for {target}</source>
        <translation>{guesser} für {target}</translation>
    </message>
    <message>
        <source>{guesser} with {length} was {times}× as fast as plain decoding, but accepted guesses explain only {possible}×: other programs were using this computer. The result was not remembered. Rerun the benchmark when the computer is idle.</source>
        <translation>{guesser} ({length}) war {times}× so schnell wie ohne Vorschläge, doch angenommene Vorschläge erklären nur {possible}×: Andere Programme haben diesen Computer beschäftigt. specchat merkt sich das Ergebnis nicht. Wiederholen Sie den Leistungstest, wenn der Computer nichts anderes tut.</translation>
    </message>
    <message>
        <source>Can&apos;t reach {host}.</source>
        <translation>{host} ist nicht erreichbar.</translation>
    </message>
    <message>
        <source>Your token doesn&apos;t allow this on {host}.</source>
        <translation>Ihr Zugriffstoken erlaubt das auf {host} nicht.</translation>
    </message>
    <message>
        <source>{host} isn&apos;t responding.</source>
        <translation>{host} antwortet nicht.</translation>
    </message>
    <message>
        <source>{host} rejected this token, so it wasn&apos;t saved.</source>
        <translation>{host} hat dieses Zugriffstoken abgelehnt, daher wurde es nicht gespeichert.</translation>
    </message>
    <message>
        <source>{host} rejected your token. It may have expired.</source>
        <translation>{host} hat Ihr Zugriffstoken abgelehnt. Vielleicht ist es abgelaufen.</translation>
    </message>
    <message>
        <source>{host} doesn&apos;t say which version is the latest.</source>
        <translation>{host} sagt nicht, welche Version die neueste ist.</translation>
    </message>
    <message>
        <source>{host} has a server problem (error {status}).</source>
        <translation>{host} hat ein Serverproblem (Fehler {status}).</translation>
    </message>
    <message>
        <source>{host} redirects endlessly.</source>
        <translation>{host} leitet endlos um.</translation>
    </message>
    <message>
        <source>{host} redirects to an unsafe address.</source>
        <translation>{host} leitet zu einer unsicheren Adresse um.</translation>
    </message>
    <message>
        <source>{host} rejected the request (error {status}).</source>
        <translation>{host} hat die Anfrage abgelehnt (Fehler {status}).</translation>
    </message>
    <message>
        <source>{host} refused to send {file} (error {status}).</source>
        <translation>{host} hat {file} nicht gesendet (Fehler {status}).</translation>
    </message>
    <message>
        <source>{host} requires an access token.</source>
        <translation>{host} verlangt ein Zugriffstoken.</translation>
    </message>
    <message>
        <source>Can&apos;t use {host}:{port}: {reason}.</source>
        <translation>{host}:{port} lässt sich nicht benutzen: {reason}.</translation>
    </message>
    <message>
        <source>{key} claims to have {count} values</source>
        <translation>{key} behauptet, {count} Werte zu haben</translation>
    </message>
    <message>
        <source>{key} has {n} values for {layers} layers</source>
        <translation>{key} hat {n} Werte für {layers} Schichten</translation>
    </message>
    <message>
        <source>{key} is a list of lists</source>
        <translation>{key} ist eine Liste von Listen</translation>
    </message>
    <message>
        <source>{key} is not a boolean</source>
        <translation>{key} ist kein Wahrheitswert</translation>
    </message>
    <message>
        <source>{key} is not a list of integers</source>
        <translation>{key} ist keine Liste ganzer Zahlen</translation>
    </message>
    <message>
        <source>{key} is not a string</source>
        <translation>{key} ist keine Zeichenkette</translation>
    </message>
    <message>
        <source>{key} is not an integer</source>
        <translation>{key} ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>{key} has an unknown type: {kind}</source>
        <translation>{key} hat einen unbekannten Typ: {kind}</translation>
    </message>
    <message>
        <source>{key} is {value}, outside the range {low} to {high}</source>
        <translation>{key} ist {value}, außerhalb von {low} bis {high}</translation>
    </message>
    <message>
        <source>{meaning} The most important layers keep more precision.</source>
        <translation>{meaning} Die wichtigsten Schichten bleiben genauer.</translation>
    </message>
    <message>
        <source>{most} requests are already waiting.</source>
        <translation>Es warten schon {most} Anfragen.</translation>
    </message>
    <message>
        <source>{name} belongs to LM Studio.</source>
        <translation>{name} gehört zu LM Studio.</translation>
    </message>
    <message>
        <source>{name} belongs to Ollama.</source>
        <translation>{name} gehört zu Ollama.</translation>
    </message>
    <message>
        <source>Can&apos;t load {name}: {reason}</source>
        <translation>{name} lässt sich nicht laden: {reason}</translation>
    </message>
    <message>
        <source>{name} is not a valid file name on this system.</source>
        <translation>{name} ist auf diesem System kein gültiger Dateiname.</translation>
    </message>
    <message>
        <source>Can&apos;t use {name}: {reason}</source>
        <translation>{name} lässt sich nicht benutzen: {reason}</translation>
    </message>
    <message>
        <source>{name} can&apos;t chat: it has no vocabulary.</source>
        <translation>{name} kann nicht chatten: Es hat kein Vokabular.</translation>
    </message>
    <message>
        <source>{name} can&apos;t chat: it is a diffusion model.</source>
        <translation>{name} kann nicht chatten: Es ist ein Diffusionsmodell.</translation>
    </message>
    <message>
        <source>{name} can&apos;t chat: it is an encoder, which generates no text.</source>
        <translation>{name} kann nicht chatten: Es ist ein Encoder, der keinen Text erzeugt.</translation>
    </message>
    <message>
        <source>{name} is built in and can&apos;t be changed.</source>
        <translation>{name} ist mitgeliefert und lässt sich nicht ändern.</translation>
    </message>
    <message>
        <source>{name} is inconsistent: {reason}</source>
        <translation>{name} widerspricht sich: {reason}</translation>
    </message>
    <message>
        <source>Couldn&apos;t save {name}: {reason}.</source>
        <translation>{name} konnte nicht gespeichert werden: {reason}.</translation>
    </message>
    <message>
        <source>{name} crashes llama.cpp: {reason}</source>
        <translation>{name} bringt llama.cpp zum Absturz: {reason}</translation>
    </message>
    <message>
        <source>{name} failed to start: {reason}</source>
        <translation>{name} konnte nicht starten: {reason}</translation>
    </message>
    <message>
        <source>{name} doesn&apos;t state the size of its layers.</source>
        <translation>{name} gibt die Größe seiner Schichten nicht an.</translation>
    </message>
    <message>
        <source>{name} failed the exact-mode self-test here: answers may differ.</source>
        <translation>{name} hat den Selbsttest des exakten Modus hier nicht bestanden: Antworten können sich unterscheiden.</translation>
    </message>
    <message>
        <source>{name} found no GPU and ran on the CPU, so its results aren&apos;t comparable.</source>
        <translation>{name} fand keine GPU und lief auf der CPU, also sind die Ergebnisse nicht vergleichbar.</translation>
    </message>
    <message>
        <source>{name} is a draft head and can&apos;t answer by itself.</source>
        <translation>{name} ist ein Entwurfskopf und kann allein nicht antworten.</translation>
    </message>
    <message>
        <source>{name} has no tokenizer, so its vocabulary can&apos;t be compared.</source>
        <translation>{name} hat keinen Tokenizer, also lässt sich sein Vokabular nicht vergleichen.</translation>
    </message>
    <message>
        <source>{name} is {size} bytes but should be {right}.</source>
        <translation>{name} hat {size} Byte, sollte aber {right} haben.</translation>
    </message>
    <message>
        <source>16-bit, not quantized. Twice the size of Q8_0 with little gain.</source>
        <translation>16 Bit, nicht quantisiert. Doppelt so groß wie Q8_0, mit wenig Gewinn.</translation>
    </message>
    <message>
        <source>It was made for a target with a hidden size of {head}, but this one has {target}.</source>
        <translation>Er wurde für ein Ziel mit einer Hidden Size von {head} gemacht; dieses hat {target}.</translation>
    </message>
    <message>
        <source>Same vocabulary of {n} tokens.</source>
        <translation>Gleiches Vokabular mit {n} Token.</translation>
    </message>
    <message>
        <source>The two vocabularies share {percent} % of their tokens. Expect less speed-up than with the same vocabulary.</source>
        <translation>Die beiden Vokabulare haben {percent} % ihrer Token gemeinsam. Das beschleunigt weniger als dasselbe Vokabular.</translation>
    </message>
    <message>
        <source>Too many requests to {host}.</source>
        <translation>Zu viele Anfragen an {host}.</translation>
    </message>
    <message>
        <source>Try again in {seconds} seconds.</source>
        <translation>Versuchen Sie es in {seconds} Sekunden erneut.</translation>
    </message>
    <message>
        <source>Unknown policy: {name}.</source>
        <translation>Unbekannte Regel: {name}.</translation>
    </message>
    <message>
        <source>Unload it, then try again.</source>
        <translation>Entladen Sie es, und versuchen Sie es erneut.</translation>
    </message>
    <message>
        <source>Use a JSON schema instead.</source>
        <translation>Verwenden Sie stattdessen ein JSON-Schema.</translation>
    </message>
    <message>
        <source>Use another draft.</source>
        <translation>Verwenden Sie einen anderen Entwurf.</translation>
    </message>
    <message>
        <source>Use up to 60 letters, digits, spaces, dots, colons, and dashes.</source>
        <translation>Verwenden Sie bis zu 60 Buchstaben, Ziffern, Leerzeichen, Punkte, Doppelpunkte und Bindestriche.</translation>
    </message>
    <message>
        <source>Use an address such as http://localhost:8080.</source>
        <translation>Verwenden Sie eine Adresse wie http://localhost:8080.</translation>
    </message>
    <message>
        <source>Use a larger context (-c), or fewer slots.</source>
        <translation>Verwenden Sie einen größeren Kontext (-c) oder weniger Slots.</translation>
    </message>
    <message>
        <source>The program at {address} is not an RPC server from this version of llama.cpp.</source>
        <translation>Das Programm unter {address} ist kein RPC-Server dieser Version von llama.cpp.</translation>
    </message>
    <message>
        <source>A file can be at most {n} MB.</source>
        <translation>Eine Datei kann höchstens {n} MB groß sein.</translation>
    </message>
    <message>
        <source>A prompt needs a text.</source>
        <translation>Ein Prompt braucht einen Text.</translation>
    </message>
    <message>
        <source>Above temperature 0, this is expected without exact mode.</source>
        <translation>Bei Temperaturen über 0 ist das ohne exakten Modus zu erwarten.</translation>
    </message>
    <message>
        <source>Ask for fewer dimensions, or omit the field.</source>
        <translation>Verlangen Sie weniger Dimensionen, oder lassen Sie das Feld weg.</translation>
    </message>
    <message>
        <source>Attach a part of it.</source>
        <translation>Hängen Sie einen Teil davon an.</translation>
    </message>
    <message>
        <source>Attach another file.</source>
        <translation>Hängen Sie eine andere Datei an.</translation>
    </message>
    <message>
        <source>Attach one without copy protection.</source>
        <translation>Hängen Sie eines ohne Kopierschutz an.</translation>
    </message>
    <message>
        <source>Attach the files inside it.</source>
        <translation>Hängen Sie die Dateien darin an.</translation>
    </message>
    <message>
        <source>Available: {names}, and {n} more.</source>
        <translation>Vorhanden: {names} und {n} weitere.</translation>
    </message>
    <message>
        <source>Available: {names}.</source>
        <translation>Vorhanden: {names}.</translation>
    </message>
    <message>
        <source>Both answers are the same.</source>
        <translation>Beide Antworten sind gleich.</translation>
    </message>
    <message>
        <source>Both were about as fast.</source>
        <translation>Beide waren etwa gleich schnell.</translation>
    </message>
    <message>
        <source>Can&apos;t attach {name}: {reason}</source>
        <translation>{name} lässt sich nicht anhängen: {reason}</translation>
    </message>
    <message>
        <source>Can&apos;t read {name}.</source>
        <translation>{name} lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>Check its headers.</source>
        <translation>Prüfen Sie seine Header.</translation>
    </message>
    <message>
        <source>Check its settings.</source>
        <translation>Prüfen Sie seine Einstellungen.</translation>
    </message>
    <message>
        <source>Check that the engine is running, then regenerate the answer.</source>
        <translation>Prüfen Sie, ob die Engine läuft, und erzeugen Sie die Antwort dann neu.</translation>
    </message>
    <message>
        <source>Check the command and its folder.</source>
        <translation>Prüfen Sie den Befehl und seinen Ordner.</translation>
    </message>
    <message>
        <source>Check the server&apos;s settings.</source>
        <translation>Prüfen Sie die Einstellungen des Servers.</translation>
    </message>
    <message>
        <source>Choose a .gguf file. To ask a model about the document, attach it to a message.</source>
        <translation>Wählen Sie eine .gguf-Datei. Um einem Modell Fragen zum Dokument zu stellen, hängen Sie es an eine Nachricht an.</translation>
    </message>
    <message>
        <source>Choose a model with a vision encoder (mmproj), or send text only.</source>
        <translation>Wählen Sie ein Modell mit Vision-Encoder (mmproj), oder senden Sie nur Text.</translation>
    </message>
    <message>
        <source>Choose a text generation model. To offer this one to other programs, use: specchat serve</source>
        <translation>Wählen Sie ein Modell, das Text schreibt. Für andere Programme stellt specchat serve dieses bereit.</translation>
    </message>
    <message>
        <source>Choose an export of specchat, ChatGPT, Claude, Open WebUI, LM Studio or Jan, or a list of OpenAI messages.</source>
        <translation>Wählen Sie einen Export von specchat, ChatGPT, Claude, Open WebUI, LM Studio oder Jan, oder eine Liste von OpenAI-Nachrichten.</translation>
    </message>
    <message>
        <source>Choose another mmproj file.</source>
        <translation>Wählen Sie eine andere mmproj-Datei.</translation>
    </message>
    <message>
        <source>Choose another model of the engine.</source>
        <translation>Wählen Sie ein anderes Modell der Engine.</translation>
    </message>
    <message>
        <source>Choose another one in the settings.</source>
        <translation>Wählen Sie in den Einstellungen ein anderes.</translation>
    </message>
    <message>
        <source>Choose another picture.</source>
        <translation>Wählen Sie ein anderes Bild.</translation>
    </message>
    <message>
        <source>Choose another project.</source>
        <translation>Wählen Sie ein anderes Projekt.</translation>
    </message>
    <message>
        <source>Choose another recording.</source>
        <translation>Wählen Sie eine andere Aufnahme.</translation>
    </message>
    <message>
        <source>Choose the mmproj file from the target&apos;s repository, or none (--no-mmproj).</source>
        <translation>Wählen Sie die mmproj-Datei aus dem Repository des Ziels oder keine (--no-mmproj).</translation>
    </message>
    <message>
        <source>Choose the mmproj file from the target&apos;s repository.</source>
        <translation>Wählen Sie die mmproj-Datei aus dem Repository des Ziels.</translation>
    </message>
    <message>
        <source>Correct it in a text editor.</source>
        <translation>Berichtigen Sie sie in einem Texteditor.</translation>
    </message>
    <message>
        <source>Correct it, or use another model.</source>
        <translation>Berichtigen Sie sie, oder verwenden Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the document: {reason}</source>
        <translation>Das Dokument konnte nicht gelesen werden: {reason}</translation>
    </message>
    <message>
        <source>Couldn&apos;t read the file: {reason}.</source>
        <translation>Die Datei konnte nicht gelesen werden: {reason}.</translation>
    </message>
    <message>
        <source>Download it again, or leave it out (--no-mmproj).</source>
        <translation>Laden Sie sie erneut herunter, oder lassen Sie sie weg (--no-mmproj).</translation>
    </message>
    <message>
        <source>Enable it in the settings.</source>
        <translation>Aktivieren Sie ihn in den Einstellungen.</translation>
    </message>
    <message>
        <source>Enable the server in the settings, and allow the call.</source>
        <translation>Aktivieren Sie den Server in den Einstellungen, und erlauben Sie den Aufruf.</translation>
    </message>
    <message>
        <source>Enter a name.</source>
        <translation>Geben Sie einen Namen ein.</translation>
    </message>
    <message>
        <source>Enter the path of one.</source>
        <translation>Geben Sie den Pfad eines Programms ein.</translation>
    </message>
    <message>
        <source>Enter the text to insert.</source>
        <translation>Geben Sie den Text ein, der eingefügt werden soll.</translation>
    </message>
    <message>
        <source>Find out which program put it there. If no program needs it, delete it yourself.</source>
        <translation>Finden Sie heraus, welches Programm die Datei dort abgelegt hat. Wenn kein Programm sie braucht, löschen Sie sie selbst.</translation>
    </message>
    <message>
        <source>Grammar</source>
        <translation>Grammatik</translation>
    </message>
    <message>
        <source>Guessed from the answer&apos;s grammar, accepted</source>
        <translation>Aus der Grammatik der Antwort vorgeschlagen, angenommen</translation>
    </message>
    <message>
        <source>If the engine has no certificate, use an address that starts with http://.</source>
        <translation>Hat die Engine kein Zertifikat, verwenden Sie eine Adresse, die mit http:// beginnt.</translation>
    </message>
    <message>
        <source>Import fewer chats.</source>
        <translation>Importieren Sie weniger Chats.</translation>
    </message>
    <message>
        <source>In exact mode they are the same.</source>
        <translation>Im exakten Modus sind sie gleich.</translation>
    </message>
    <message>
        <source>Input {number} has {n} tokens, but the context holds only {all}.</source>
        <translation>Eingabe {number} hat {n} Token, in den Kontext passen nur {all}.</translation>
    </message>
    <message>
        <source>Input {number} is far longer than the context, which holds {all} tokens.</source>
        <translation>Eingabe {number} ist viel länger als der Kontext, der {all} Token fasst.</translation>
    </message>
    <message>
        <source>Input {n} is empty.</source>
        <translation>Eingabe {n} ist leer.</translation>
    </message>
    <message>
        <source>Install it with: pip install pypdfium2</source>
        <translation>Installieren Sie es mit: pip install pypdfium2</translation>
    </message>
    <message>
        <source>Install it, or enter its full path.</source>
        <translation>Installieren Sie es, oder geben Sie den vollständigen Pfad ein.</translation>
    </message>
    <message>
        <source>It answered with {status}.</source>
        <translation>Er hat mit {status} geantwortet.</translation>
    </message>
    <message>
        <source>It answered with {status}. Check the address: it often ends in /mcp.</source>
        <translation>Er hat mit {status} geantwortet. Prüfen Sie die Adresse: Sie endet oft auf /mcp.</translation>
    </message>
    <message>
        <source>It answered with {status}. Check the address: it often ends in /mcp. Servers that only speak the old HTTP+SSE transport don&apos;t work.</source>
        <translation>Er hat mit {status} geantwortet. Prüfen Sie die Adresse: Sie endet oft auf /mcp. Server, die nur den alten Transport HTTP+SSE sprechen, funktionieren nicht.</translation>
    </message>
    <message>
        <source>It can&apos;t be reached: {reason}.</source>
        <translation>Er ist nicht erreichbar: {reason}.</translation>
    </message>
    <message>
        <source>It can&apos;t be read as text.</source>
        <translation>Das lässt sich nicht als Text lesen.</translation>
    </message>
    <message>
        <source>It contains no messages.</source>
        <translation>Er enthält keine Nachrichten.</translation>
    </message>
    <message>
        <source>It contains no text.</source>
        <translation>Es enthält keinen Text.</translation>
    </message>
    <message>
        <source>It contains too many files.</source>
        <translation>Es enthält zu viele Dateien.</translation>
    </message>
    <message>
        <source>It did not answer within {n} seconds.</source>
        <translation>Er hat nicht innerhalb von {n} Sekunden geantwortet.</translation>
    </message>
    <message>
        <source>It ended.</source>
        <translation>Er wurde beendet.</translation>
    </message>
    <message>
        <source>It has more than 4 million characters of text.</source>
        <translation>Es hat mehr als 4 Millionen Zeichen Text.</translation>
    </message>
    <message>
        <source>It has more than {n} messages.</source>
        <translation>Er hat mehr als {n} Nachrichten.</translation>
    </message>
    <message>
        <source>It has neither a command nor an address.</source>
        <translation>Er hat weder einen Befehl noch eine Adresse.</translation>
    </message>
    <message>
        <source>It has no name.</source>
        <translation>Er hat keinen Namen.</translation>
    </message>
    <message>
        <source>It has {n} pages; {most} is the limit.</source>
        <translation>Es hat {n} Seiten; höchstens {most} sind möglich.</translation>
    </message>
    <message>
        <source>It must be an object.</source>
        <translation>Der Eintrag muss ein Objekt sein.</translation>
    </message>
    <message>
        <source>It refused: {reason}</source>
        <translation>Er hat abgelehnt: {reason}</translation>
    </message>
    <message>
        <source>It requires authorization (HTTP {status}).</source>
        <translation>Er verlangt eine Anmeldung (HTTP {status}).</translation>
    </message>
    <message>
        <source>It sent a message of more than 4 MB.</source>
        <translation>Er hat eine Nachricht von mehr als 4 MB gesendet.</translation>
    </message>
    <message>
        <source>It sent an invalid reply.</source>
        <translation>Er hat eine ungültige Antwort gesendet.</translation>
    </message>
    <message>
        <source>It sent too many messages.</source>
        <translation>Er hat zu viele Nachrichten gesendet.</translation>
    </message>
    <message>
        <source>It uses the old SSE transport. specchat needs Streamable HTTP.</source>
        <translation>Er nutzt den alten SSE-Transport. specchat braucht Streamable HTTP.</translation>
    </message>
    <message>
        <source>Its address must start with http:// or https://.</source>
        <translation>Seine Adresse muss mit http:// oder https:// beginnen.</translation>
    </message>
    <message>
        <source>Its format is unknown.</source>
        <translation>Sein Format ist unbekannt.</translation>
    </message>
    <message>
        <source>Its name is too long, or has characters that can&apos;t be shown.</source>
        <translation>Sein Name ist zu lang oder enthält Zeichen, die nicht angezeigt werden können.</translation>
    </message>
    <message>
        <source>List the models on this computer: {command}</source>
        <translation>Modelle auf diesem Computer auflisten mit: {command}</translation>
    </message>
    <message>
        <source>Load a reranking model, such as bge-reranker-v2-m3.</source>
        <translation>Laden Sie ein Modell für Reranking, etwa bge-reranker-v2-m3.</translation>
    </message>
    <message>
        <source>Load it again.</source>
        <translation>Laden Sie es neu.</translation>
    </message>
    <message>
        <source>Load it with its mmproj file (--mmproj), or choose a model that has one.</source>
        <translation>Laden Sie es mit seiner mmproj-Datei (--mmproj), oder wählen Sie ein Modell, das eine hat.</translation>
    </message>
    <message>
        <source>Load the model without its mmproj file (--no-mmproj).</source>
        <translation>Laden Sie das Modell ohne seine mmproj-Datei (--no-mmproj).</translation>
    </message>
    <message>
        <source>Make the picture smaller.</source>
        <translation>Verkleinern Sie das Bild.</translation>
    </message>
    <message>
        <source>None of llama.cpp&apos;s CPU backends could be loaded.</source>
        <translation>Keines der CPU-Backends von llama.cpp konnte geladen werden.</translation>
    </message>
    <message>
        <source>Omit it, or pass some text.</source>
        <translation>Lassen Sie sie weg, oder geben Sie Text an.</translation>
    </message>
    <message>
        <source>Omit the draft (-md).</source>
        <translation>Lassen Sie den Entwurf weg (-md).</translation>
    </message>
    <message>
        <source>Open it in its own program and save it again.</source>
        <translation>Öffnen Sie die Datei in ihrem Programm, und speichern Sie sie neu.</translation>
    </message>
    <message>
        <source>PDFs can&apos;t be read: pypdfium2 isn&apos;t installed.</source>
        <translation>PDFs können nicht gelesen werden: pypdfium2 ist nicht installiert.</translation>
    </message>
    <message>
        <source>Reading the document took too long.</source>
        <translation>Das Lesen des Dokuments hat zu lange gedauert.</translation>
    </message>
    <message>
        <source>Reinstall specchat. If LD_LIBRARY_PATH or LLAMA_CPP_LIB_PATH is set, unset it.</source>
        <translation>Installieren Sie specchat neu. Falls LD_LIBRARY_PATH oder LLAMA_CPP_LIB_PATH gesetzt ist, entfernen Sie die Variable.</translation>
    </message>
    <message>
        <source>Restart the server, or turn it off.</source>
        <translation>Starten Sie den Server neu, oder schalten Sie ihn aus.</translation>
    </message>
    <message>
        <source>Run text recognition (OCR) on it first.</source>
        <translation>Lassen Sie zuerst eine Texterkennung (OCR) darüberlaufen.</translation>
    </message>
    <message>
        <source>Save a copy without the password and attach that.</source>
        <translation>Speichern Sie eine Kopie ohne Passwort, und hängen Sie diese an.</translation>
    </message>
    <message>
        <source>Save it as MP3 or FLAC, or use a shorter part of it.</source>
        <translation>Speichern Sie sie als MP3 oder FLAC, oder verwenden Sie einen kürzeren Teil.</translation>
    </message>
    <message>
        <source>Save the picture again, or choose another one.</source>
        <translation>Speichern Sie das Bild erneut, oder wählen Sie ein anderes.</translation>
    </message>
    <message>
        <source>Save the recording again, or choose another one.</source>
        <translation>Speichern Sie die Aufnahme erneut, oder wählen Sie eine andere.</translation>
    </message>
    <message>
        <source>Send the message again.</source>
        <translation>Senden Sie die Nachricht erneut.</translation>
    </message>
    <message>
        <source>Several of its messages have the same ID.</source>
        <translation>Mehrere seiner Nachrichten haben dieselbe ID.</translation>
    </message>
    <message>
        <source>Split it into several inputs, or use a larger context (-c).</source>
        <translation>Teilen Sie sie in mehrere Eingaben auf, oder nutzen Sie einen größeren Kontext (-c).</translation>
    </message>
    <message>
        <source>Split it into several inputs.</source>
        <translation>Teilen Sie sie in mehrere Eingaben auf.</translation>
    </message>
    <message>
        <source>The PDF has no text: it seems to be scanned.</source>
        <translation>Das PDF enthält keinen Text: Es scheint gescannt zu sein.</translation>
    </message>
    <message>
        <source>The answer was written without tools. Choose a model that can call them.</source>
        <translation>Die Antwort entstand ohne Werkzeuge. Wählen Sie ein Modell, das sie aufrufen kann.</translation>
    </message>
    <message>
        <source>The answer was written without tools. Start llama-server with --jinja.</source>
        <translation>Die Antwort entstand ohne Werkzeuge. Starten Sie llama-server mit --jinja.</translation>
    </message>
    <message>
        <source>The answer was written without tools. Start vLLM with --enable-auto-tool-choice and --tool-call-parser.</source>
        <translation>Die Antwort entstand ohne Werkzeuge. Starten Sie vLLM mit --enable-auto-tool-choice und --tool-call-parser.</translation>
    </message>
    <message>
        <source>The answers are the same up to word {n}, where one of them ends.</source>
        <translation>Die Antworten sind bis Wort {n} gleich, wo eine von ihnen endet.</translation>
    </message>
    <message>
        <source>The answers first differ at word {n}: “{left}” and “{right}”.</source>
        <translation>Die Antworten unterscheiden sich ab Wort {n}: „{left}“ und „{right}“.</translation>
    </message>
    <message>
        <source>The connection was closed.</source>
        <translation>Die Verbindung wurde getrennt.</translation>
    </message>
    <message>
        <source>The document is too large to read.</source>
        <translation>Das Dokument ist zu groß zum Lesen.</translation>
    </message>
    <message>
        <source>The e-book is copy-protected.</source>
        <translation>Das E-Book ist kopiergeschützt.</translation>
    </message>
    <message>
        <source>The file is damaged.</source>
        <translation>Die Datei ist beschädigt.</translation>
    </message>
    <message>
        <source>The file is protected with a password.</source>
        <translation>Die Datei ist mit einem Passwort geschützt.</translation>
    </message>
    <message>
        <source>The folder {folder} wasn&apos;t found.</source>
        <translation>Der Ordner {folder} wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>The input contains a token that is not in the model&apos;s vocabulary.</source>
        <translation>Die Eingabe enthält ein Token, das nicht im Vokabular des Modells ist.</translation>
    </message>
    <message>
        <source>The model can&apos;t read {name}.</source>
        <translation>Das Modell kann {name} nicht lesen.</translation>
    </message>
    <message>
        <source>The model was unloaded.</source>
        <translation>Das Modell wurde entladen.</translation>
    </message>
    <message>
        <source>The model {name} is not on this computer.</source>
        <translation>Das Modell {name} ist nicht auf diesem Computer.</translation>
    </message>
    <message>
        <source>The picture</source>
        <translation>Das Bild</translation>
    </message>
    <message>
        <source>There are no saved engines.</source>
        <translation>Es sind keine Engines gespeichert.</translation>
    </message>
    <message>
        <source>There is a server named {name}.</source>
        <translation>Es gibt schon einen Server namens {name}.</translation>
    </message>
    <message>
        <source>This answer fills the context of {all} tokens.</source>
        <translation>Diese Antwort füllt den Kontext von {all} Token.</translation>
    </message>
    <message>
        <source>This computer may have run out of memory.</source>
        <translation>Möglicherweise reicht der Speicher dieses Computers nicht aus.</translation>
    </message>
    <message>
        <source>This kind of document isn&apos;t supported.</source>
        <translation>Diese Art von Dokument wird nicht unterstützt.</translation>
    </message>
    <message>
        <source>This model doesn&apos;t support infill: it has no fill-in-the-middle tokens.</source>
        <translation>Dieses Modell unterstützt kein Infill: Es hat keine Fill-in-the-Middle-Token.</translation>
    </message>
    <message>
        <source>This model&apos;s chat template can&apos;t turn reasoning on or off.</source>
        <translation>Die Chat-Vorlage dieses Modells kann den Gedankengang nicht ein- oder ausschalten.</translation>
    </message>
    <message>
        <source>This model&apos;s chat template has no reasoning effort.</source>
        <translation>Die Chat-Vorlage dieses Modells kennt keine Länge des Gedankengangs.</translation>
    </message>
    <message>
        <source>This project was deleted.</source>
        <translation>Dieses Projekt wurde gelöscht.</translation>
    </message>
    <message>
        <source>Unpack it first.</source>
        <translation>Entpacken Sie sie zuerst.</translation>
    </message>
    <message>
        <source>Unpack it, then import its files one by one.</source>
        <translation>Entpacken Sie sie und importieren Sie dann ihre Dateien einzeln.</translation>
    </message>
    <message>
        <source>Update its driver, or choose another device.</source>
        <translation>Aktualisieren Sie seinen Treiber, oder wählen Sie ein anderes Gerät.</translation>
    </message>
    <message>
        <source>Use /v1/embeddings, or load another model.</source>
        <translation>Nutzen Sie /v1/embeddings, oder laden Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Use /v1/rerank, or load another model.</source>
        <translation>Nutzen Sie /v1/rerank, oder laden Sie ein anderes Modell.</translation>
    </message>
    <message>
        <source>Use PNG, JPEG, GIF or BMP.</source>
        <translation>Verwenden Sie PNG, JPEG, GIF oder BMP.</translation>
    </message>
    <message>
        <source>Use WAV, MP3 or FLAC.</source>
        <translation>Verwenden Sie WAV, MP3 oder FLAC.</translation>
    </message>
    <message>
        <source>Use a shorter part of it.</source>
        <translation>Verwenden Sie einen kürzeren Teil davon.</translation>
    </message>
    <message>
        <source>Write HOST:PORT, such as 192.168.1.20:{port}.</source>
        <translation>Geben Sie HOST:PORT an, etwa 192.168.1.20:{port}.</translation>
    </message>
    <message>
        <source>Write it as owner/repo.</source>
        <translation>Verwenden Sie die Form owner/repo.</translation>
    </message>
    <message>
        <source>Write it as owner/repo:file.gguf.</source>
        <translation>Verwenden Sie die Form owner/repo:file.gguf.</translation>
    </message>
    <message>
        <source>Write owner/repo, owner/repo:Q4_K_M, or owner/repo:file.gguf.</source>
        <translation>Verwenden Sie owner/repo, owner/repo:Q4_K_M oder owner/repo:file.gguf.</translation>
    </message>
    <message>
        <source>a head has two output matrices</source>
        <translation>ein Kopf hat zwei Ausgabematrizen</translation>
    </message>
    <message>
        <source>a second</source>
        <translation>einer Sekunde</translation>
    </message>
    <message>
        <source>another answer at once would take much more memory</source>
        <translation>eine weitere gleichzeitige Antwort würde viel mehr Speicher brauchen</translation>
    </message>
    <message>
        <source>compatible vocabulary</source>
        <translation>passendes Vokabular</translation>
    </message>
    <message>
        <source>different vocabulary</source>
        <translation>anderes Vokabular</translation>
    </message>
    <message>
        <source>ggml-rpc-server is not installed here.</source>
        <translation>ggml-rpc-server ist hier nicht installiert.</translation>
    </message>
    <message>
        <source>in exact mode each answer has a cache of its own, and there is no memory for more</source>
        <translation>im exakten Modus hat jede Antwort einen eigenen Cache, und für weitere reicht der Speicher nicht</translation>
    </message>
    <message>
        <source>in exact mode each answer has a cache of its own, in which guesses can&apos;t branch</source>
        <translation>im exakten Modus hat jede Antwort einen eigenen Cache, in dem sich Vorschläge nicht verzweigen können</translation>
    </message>
    <message>
        <source>it cuts a picture into {n} patches; {most} is the limit</source>
        <translation>sie teilt ein Bild in {n} Patches; höchstens {most} sind möglich</translation>
    </message>
    <message>
        <source>it cuts a picture into {n} tiles; {most} is the limit</source>
        <translation>sie teilt ein Bild in {n} Kacheln; höchstens {most} sind möglich</translation>
    </message>
    <message>
        <source>it has no weights</source>
        <translation>sie hat keine Gewichte</translation>
    </message>
    <message>
        <source>it makes {n} rows of half a minute, not {wanted}</source>
        <translation>sie macht aus einer halben Minute {n} Zeilen statt {wanted}</translation>
    </message>
    <message>
        <source>its header is not valid JSON</source>
        <translation>ihr Header ist kein gültiges JSON</translation>
    </message>
    <message>
        <source>its heads are not numbered from 0 to {n}</source>
        <translation>ihre Köpfe sind nicht von 0 bis {n} nummeriert</translation>
    </message>
    <message>
        <source>its patches are larger than its pictures</source>
        <translation>ihre Patches sind größer als ihre Bilder</translation>
    </message>
    <message>
        <source>llama.cpp failed to restore its cache.</source>
        <translation>llama.cpp konnte seinen Cache nicht wiederherstellen.</translation>
    </message>
    <message>
        <source>llama.cpp has no backend for it here</source>
        <translation>llama.cpp hat hier kein Backend dafür</translation>
    </message>
    <message>
        <source>llama.cpp stopped during the early exit test.</source>
        <translation>llama.cpp ist abgebrochen, während Early Exit ausprobiert wurde.</translation>
    </message>
    <message>
        <source>llama.cpp supports at most {n} RPC servers.</source>
        <translation>llama.cpp unterstützt höchstens {n} RPC-Server.</translation>
    </message>
    <message>
        <source>llama.cpp&apos;s RPC backend is not installed here.</source>
        <translation>Das RPC-Backend von llama.cpp ist hier nicht installiert.</translation>
    </message>
    <message>
        <source>lookahead</source>
        <translation>Vorausschau</translation>
    </message>
    <message>
        <source>only some of its heads have an output matrix</source>
        <translation>nur einige ihrer Köpfe haben eine Ausgabematrix</translation>
    </message>
    <message>
        <source>policy {name}</source>
        <translation>Regel {name}</translation>
    </message>
    <message>
        <source>the Medusa heads</source>
        <translation>die Medusa-Köpfe</translation>
    </message>
    <message>
        <source>the answer&apos;s grammar</source>
        <translation>die Grammatik der Antwort</translation>
    </message>
    <message>
        <source>the description of the tensor {tensor} is invalid</source>
        <translation>die Beschreibung des Tensors {tensor} ist ungültig</translation>
    </message>
    <message>
        <source>the layers of head {i} are incomplete</source>
        <translation>die Schichten von Kopf {i} sind unvollständig</translation>
    </message>
    <message>
        <source>the size of the tensor {tensor} doesn&apos;t match its shape</source>
        <translation>die Größe des Tensors {tensor} passt nicht zu seiner Form</translation>
    </message>
    <message>
        <source>the target&apos;s first layers</source>
        <translation>die ersten Schichten des Ziels</translation>
    </message>
    <message>
        <source>the tensor {tensor} has an unexpected shape</source>
        <translation>der Tensor {tensor} hat eine unerwartete Form</translation>
    </message>
    <message>
        <source>the tensor {tensor} is stored as {type}</source>
        <translation>der Tensor {tensor} ist als {type} gespeichert</translation>
    </message>
    <message>
        <source>unknown host</source>
        <translation>unbekannter Hostname</translation>
    </message>
    <message>
        <source>up to {n} guesses, as a tree</source>
        <translation>bis zu {n} Vorschläge, als Baum</translation>
    </message>
    <message>
        <source>{address} is not the address of an RPC server.</source>
        <translation>{address} ist keine Adresse eines RPC-Servers.</translation>
    </message>
    <message>
        <source>{address} is not the address of an engine.</source>
        <translation>{address} ist keine Adresse einer Engine.</translation>
    </message>
    <message>
        <source>{backend} can&apos;t find it</source>
        <translation>{backend} findet sie nicht</translation>
    </message>
    <message>
        <source>{command} couldn&apos;t be started: {reason}.</source>
        <translation>{command} konnte nicht gestartet werden: {reason}.</translation>
    </message>
    <message>
        <source>{command} isn&apos;t a program that can be started.</source>
        <translation>{command} ist kein Programm, das gestartet werden kann.</translation>
    </message>
    <message>
        <source>{command} wasn&apos;t found.</source>
        <translation>{command} wurde nicht gefunden.</translation>
    </message>
    <message>
        <source>{command} wasn&apos;t found. Arguments belong in args.</source>
        <translation>{command} wurde nicht gefunden. Argumente gehören in args.</translation>
    </message>
    <message>
        <source>{device} can&apos;t be used for the draft.</source>
        <translation>{device} lässt sich nicht für den Entwurf benutzen.</translation>
    </message>
    <message>
        <source>{engine} can&apos;t call tools with this model.</source>
        <translation>{engine} kann mit diesem Modell keine Werkzeuge aufrufen.</translation>
    </message>
    <message>
        <source>{engine} can&apos;t call tools with this model: {reason}</source>
        <translation>{engine} kann mit diesem Modell keine Werkzeuge aufrufen: {reason}</translation>
    </message>
    <message>
        <source>{engine} can&apos;t continue an answer.</source>
        <translation>{engine} kann eine Antwort nicht fortsetzen.</translation>
    </message>
    <message>
        <source>{engine} doesn&apos;t support grammars.</source>
        <translation>{engine} unterstützt keine Grammatiken.</translation>
    </message>
    <message>
        <source>{guesser} made no guesses: all of them came from earlier text.</source>
        <translation>{guesser} hat nichts vorgeschlagen: Alle Vorschläge kamen aus früherem Text.</translation>
    </message>
    <message>
        <source>{hint} Nothing was imported from the other files.</source>
        <translation>{hint} Auch aus den anderen Dateien wurde nichts importiert.</translation>
    </message>
    <message>
        <source>{key} are no multiples of {side}</source>
        <translation>{key} sind keine Vielfachen von {side}</translation>
    </message>
    <message>
        <source>{key} has {n} numbers; {most} is the limit</source>
        <translation>{key} hat {n} Zahlen; höchstens {most} sind möglich</translation>
    </message>
    <message>
        <source>{key} is missing</source>
        <translation>{key} fehlt</translation>
    </message>
    <message>
        <source>{key} must be a list of strings.</source>
        <translation>{key} muss eine Liste von Zeichenketten sein.</translation>
    </message>
    <message>
        <source>{key} must be a string.</source>
        <translation>{key} muss eine Zeichenkette sein.</translation>
    </message>
    <message>
        <source>{key} must be an object of strings.</source>
        <translation>{key} muss ein Objekt aus Zeichenketten sein.</translation>
    </message>
    <message>
        <source>{model} can&apos;t hear recordings.</source>
        <translation>{model} kann keine Aufnahmen hören.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be replaced while it is in use.</source>
        <translation>{name} kann nicht ersetzt werden, solange es benutzt wird.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be used: {reason}.</source>
        <translation>{name} kann nicht verwendet werden: {reason}.</translation>
    </message>
    <message>
        <source>{name} can&apos;t hear recordings.</source>
        <translation>{name} kann keine Aufnahmen hören.</translation>
    </message>
    <message>
        <source>{name} contains more than {n} files.</source>
        <translation>{name} enthält mehr als {n} Dateien.</translation>
    </message>
    <message>
        <source>{name} contains no chats that specchat can read.</source>
        <translation>{name} enthält keine Chats, die specchat lesen kann.</translation>
    </message>
    <message>
        <source>{name} encodes neither pictures nor audio.</source>
        <translation>{name} kodiert weder Bilder noch Audio.</translation>
    </message>
    <message>
        <source>{name} has a cache that requests can&apos;t share</source>
        <translation>{name} hat einen Cache, den sich Anfragen nicht teilen können</translation>
    </message>
    <message>
        <source>{name} has a format that llama.cpp can&apos;t read.</source>
        <translation>{name} hat ein Format, das llama.cpp nicht lesen kann.</translation>
    </message>
    <message>
        <source>{name} has no sound in it.</source>
        <translation>{name} enthält keinen Ton.</translation>
    </message>
    <message>
        <source>{name} is a document, not a GGUF model.</source>
        <translation>{name} ist ein Dokument, kein GGUF-Modell.</translation>
    </message>
    <message>
        <source>{name} is a folder.</source>
        <translation>{name} ist ein Ordner.</translation>
    </message>
    <message>
        <source>{name} is damaged, or not a recording that llama.cpp reads.</source>
        <translation>{name} ist beschädigt oder keine Aufnahme, die llama.cpp lesen kann.</translation>
    </message>
    <message>
        <source>{name} is encrypted.</source>
        <translation>{name} ist verschlüsselt.</translation>
    </message>
    <message>
        <source>{name} is larger than {n} GB when unpacked.</source>
        <translation>{name} ist entpackt größer als {n} GB.</translation>
    </message>
    <message>
        <source>{name} is larger than {n} MB.</source>
        <translation>{name} ist größer als {n} MB.</translation>
    </message>
    <message>
        <source>{name} is longer than {n} minutes.</source>
        <translation>{name} ist länger als {n} Minuten.</translation>
    </message>
    <message>
        <source>{name} is not UTF-8 or UTF-16 text.</source>
        <translation>{name} ist kein Text in UTF-8 oder UTF-16.</translation>
    </message>
    <message>
        <source>{name} is not a valid engine name.</source>
        <translation>{name} ist kein gültiger Name für eine Engine.</translation>
    </message>
    <message>
        <source>{name} can&apos;t be used.</source>
        <translation>{name} ist nicht verwendbar.</translation>
    </message>
    <message>
        <source>llama.cpp failed to encode a picture or recording.</source>
        <translation>llama.cpp konnte ein Bild oder eine Aufnahme nicht kodieren.</translation>
    </message>
    <message>
        <source>{engine} can&apos;t ignore end-of-generation tokens.</source>
        <translation>{engine} kann Token, die eine Antwort beenden, nicht ignorieren.</translation>
    </message>
    <message>
        <source>{engine} doesn&apos;t accept token IDs as a prompt.</source>
        <translation>{engine} nimmt keine Token-IDs als Prompt an.</translation>
    </message>
    <message>
        <source>{name} can&apos;t draft for itself: {reason}</source>
        <translation>{name} kann nicht sein eigener Entwurf sein: {reason}</translation>
    </message>
    <message>
        <source>{name} contains Medusa heads as GGUF, which specchat doesn&apos;t read.</source>
        <translation>{name} enthält Medusa-Köpfe als GGUF, das specchat nicht liest.</translation>
    </message>
    <message>
        <source>{name} contains no prompts.</source>
        <translation>{name} enthält keine Prompts.</translation>
    </message>
    <message>
        <source>{name} doesn&apos;t generate text, so a draft can&apos;t speed it up.</source>
        <translation>{name} schreibt keinen Text, also kann ein Entwurf es nicht beschleunigen.</translation>
    </message>
    <message>
        <source>{name} generates text. It can&apos;t make embeddings or rank documents.</source>
        <translation>{name} schreibt Text und kann weder Embeddings bilden noch Dokumente ordnen.</translation>
    </message>
    <message>
        <source>{name} is a big-endian GGUF file for a different kind of CPU.</source>
        <translation>{name} ist eine Big-Endian-GGUF-Datei für eine andere Art von Prozessor.</translation>
    </message>
    <message>
        <source>{name} is a draft head, not a draft model.</source>
        <translation>{name} ist ein Entwurfskopf, kein Entwurfsmodell.</translation>
    </message>
    <message>
        <source>{name} is a reranking model. It can&apos;t make embeddings or chat.</source>
        <translation>{name} ist ein Reranking-Modell und kann weder Embeddings bilden noch chatten.</translation>
    </message>
    <message>
        <source>{name} is an embedding model and can&apos;t rank documents.</source>
        <translation>{name} ist ein Embedding-Modell und kann keine Dokumente ordnen.</translation>
    </message>
    <message>
        <source>{name} is damaged.</source>
        <translation>{name} ist beschädigt.</translation>
    </message>
    <message>
        <source>{name} is damaged: it doesn&apos;t match its checksum.</source>
        <translation>{name} ist beschädigt: Die Prüfsumme stimmt nicht.</translation>
    </message>
    <message>
        <source>{name} is damaged: {what}.</source>
        <translation>{name} ist beschädigt: {what}.</translation>
    </message>
    <message>
        <source>{name} is empty.</source>
        <translation>{name} ist leer.</translation>
    </message>
    <message>
        <source>{name} is not an embedding model, or was deleted.</source>
        <translation>{name} ist kein Embedding-Modell oder wurde gelöscht.</translation>
    </message>
    <message>
        <source>{name} uses GGUF version 1, which llama.cpp no longer reads.</source>
        <translation>{name} hat die GGUF-Version 1, die llama.cpp nicht mehr liest.</translation>
    </message>
    <message>
        <source>{name} uses GGUF version {version}; only versions 2 and 3 are supported.</source>
        <translation>{name} hat die GGUF-Version {version}; unterstützt werden nur 2 und 3.</translation>
    </message>
    <message>
        <source>{name} is incomplete: it ends within its header, after {size} bytes.</source>
        <translation>{name} ist unvollständig: Die Datei endet im Header, nach {size} Byte.</translation>
    </message>
    <message>
        <source>{name} is incomplete: it has {size} of {needed} bytes.</source>
        <translation>{name} ist unvollständig: {size} von {needed} Byte sind da.</translation>
    </message>
    <message>
        <source>{name} is missing.</source>
        <translation>{name} fehlt.</translation>
    </message>
    <message>
        <source>{name} is not a Medusa file that specchat can read: {what}.</source>
        <translation>{name} ist keine Medusa-Datei, die specchat lesen kann: {what}.</translation>
    </message>
    <message>
        <source>{name} is not a text file.</source>
        <translation>{name} ist keine Textdatei.</translation>
    </message>
    <message>
        <source>{name} is on another engine, so its file is not on this computer.</source>
        <translation>{name} liegt auf einer anderen Engine, also ist seine Datei nicht auf diesem Computer.</translation>
    </message>
    <message>
        <source>{name} was made by specchat.</source>
        <translation>{name} wurde von specchat erstellt.</translation>
    </message>
    <message>
        <source>{path} belongs to another user</source>
        <translation>{path} gehört einem anderen Benutzer</translation>
    </message>
    <message>
        <source>{path} can be changed by other users</source>
        <translation>andere Benutzer können {path} ändern</translation>
    </message>
    <message>
        <source>{path} is a link</source>
        <translation>{path} ist ein Link</translation>
    </message>
    <message>
        <source>{times}× smaller file</source>
        <translation>Datei {times}-mal kleiner</translation>
    </message>
    <message>
        <source>{name} is JSON text, not a GGUF model. It may be a server&apos;s error message.</source>
        <translation>{name} ist kein GGUF-Modell, sondern ein JSON-Text, vielleicht die Fehlermeldung eines Servers.</translation>
    </message>
    <message>
        <source>{name} is a compressed archive, not a GGUF model.</source>
        <translation>{name} ist kein GGUF-Modell, sondern ein komprimiertes Archiv.</translation>
    </message>
    <message>
        <source>{name} is a pickle file (probably PyTorch weights), not a GGUF model.</source>
        <translation>{name} ist kein GGUF-Modell, sondern eine Pickle-Datei, vermutlich PyTorch-Gewichte.</translation>
    </message>
    <message>
        <source>{name} is a web page, not a GGUF model. The download went wrong.</source>
        <translation>{name} ist kein GGUF-Modell, sondern eine Webseite: Der Download ist schiefgegangen.</translation>
    </message>
    <message>
        <source>{name} is a zip archive (probably PyTorch weights), not a GGUF model.</source>
        <translation>{name} ist kein GGUF-Modell, sondern ein ZIP-Archiv, vermutlich PyTorch-Gewichte.</translation>
    </message>
    <message>
        <source>{name} is XML text, not a GGUF model. It may be a server&apos;s error message.</source>
        <translation>{name} ist kein GGUF-Modell, sondern ein XML-Text, vielleicht die Fehlermeldung eines Servers.</translation>
    </message>
    <message>
        <source>{name} is not a GGUF model.</source>
        <translation>{name} ist kein GGUF-Modell.</translation>
    </message>
    <message>
        <source>{name} contains no data: the download never finished.</source>
        <translation>{name} ist leer: Der Download wurde nie fertig.</translation>
    </message>
    <message>
        <source>{name} uses an older ggml format, which llama.cpp no longer reads.</source>
        <translation>{name} ist kein GGUF-Modell, sondern hat ein älteres ggml-Format, das llama.cpp nicht mehr liest.</translation>
    </message>
    <message>
        <source>{name} is only a Git LFS pointer, not the GGUF model itself.</source>
        <translation>{name} ist kein GGUF-Modell, sondern nur ein Git-LFS-Verweis auf das Modell.</translation>
    </message>
    <message>
        <source>{name} contains safetensors weights, not a GGUF model.</source>
        <translation>{name} ist kein GGUF-Modell, sondern enthält Gewichte im Format safetensors.</translation>
    </message>
    <message>
        <source>{name} is not a model. It doesn&apos;t say what it contains.</source>
        <translation>{name} ist kein Modell und gibt nicht an, was es enthält.</translation>
    </message>
    <message>
        <source>{name} is not a model. It contains: {what}.</source>
        <translation>{name} ist kein Modell. Es enthält: {what}.</translation>
    </message>
    <message>
        <source>{name} is not a program.</source>
        <translation>{name} ist kein Programm.</translation>
    </message>
    <message>
        <source>{name} is part {part} of {all} of a model.</source>
        <translation>{name} ist Teil {part} von {all} eines Modells.</translation>
    </message>
    <message>
        <source>{name} is too large to import.</source>
        <translation>{name} ist zu groß für den Import.</translation>
    </message>
    <message>
        <source>{name} is too large.</source>
        <translation>{name} ist zu groß.</translation>
    </message>
    <message>
        <source>llama.cpp hangs on {name} before it reads any weights.</source>
        <translation>llama.cpp hängt bei {name}, bevor es Gewichte liest.</translation>
    </message>
    <message>
        <source>{name} doesn&apos;t have a recognized file extension.</source>
        <translation>{name} hat keine bekannte Dateiendung.</translation>
    </message>
    <message>
        <source>{name} is included with specchat.</source>
        <translation>{name} ist in specchat enthalten.</translation>
    </message>
    <message>
        <source>{name} needs far more memory than its size suggests.</source>
        <translation>{name} braucht viel mehr Speicher, als seine Größe vermuten lässt.</translation>
    </message>
    <message>
        <source>Line {n} of {name} contains no prompt.</source>
        <translation>Zeile {n} von {name} enthält keinen Prompt.</translation>
    </message>
    <message>
        <source>Line {n} of {name} is not a JSON object.</source>
        <translation>Zeile {n} von {name} ist kein JSON-Objekt.</translation>
    </message>
    <message>
        <source>{name}, which is part of specchat, is missing.</source>
        <translation>{name}, ein Teil von specchat, fehlt.</translation>
    </message>
    <message>
        <source>{name}: a context of {n} tokens needs {needed} GB of memory, but this computer has only {total} GB.</source>
        <translation>{name}: Ein Kontext von {n} Token braucht {needed} GB Speicher, aber dieser Computer hat nur {total} GB.</translation>
    </message>
    <message>
        <source>Can&apos;t create a context of {n} tokens for {name}: {reason}</source>
        <translation>Für {name} lässt sich kein Kontext von {n} Token anlegen: {reason}</translation>
    </message>
    <message>
        <source>The download needs {needed} GB more, but the disk with {folder} has only {free} GB free.</source>
        <translation>Der Download braucht noch {needed} GB, aber auf dem Datenträger mit {folder} sind nur {free} GB frei.</translation>
    </message>
    <message>
        <source>{n} answers were shorter than {least} tokens and are not counted.</source>
        <translation>{n} Antworten waren kürzer als {least} Token und zählen nicht mit.</translation>
    </message>
    <message>
        <source>{n} of {all} answers were slower than plain decoding.</source>
        <translation>{n} von {all} Antworten waren langsamer als ohne Vorschläge.</translation>
    </message>
    <message>
        <source>Can&apos;t move {path}: {reason}.</source>
        <translation>{path} lässt sich nicht verschieben: {reason}.</translation>
    </message>
    <message>
        <source>Can&apos;t open {path}.</source>
        <translation>{path} lässt sich nicht öffnen.</translation>
    </message>
    <message>
        <source>Can&apos;t read or write {path}.</source>
        <translation>{path} lässt sich weder lesen noch schreiben.</translation>
    </message>
    <message>
        <source>Can&apos;t read {path}: {reason}.</source>
        <translation>{path} lässt sich nicht lesen: {reason}.</translation>
    </message>
    <message>
        <source>Can&apos;t write {path}.</source>
        <translation>{path} lässt sich nicht schreiben.</translation>
    </message>
    <message>
        <source>Can&apos;t write {path}: {reason}.</source>
        <translation>{path} lässt sich nicht schreiben: {reason}.</translation>
    </message>
    <message>
        <source>Too many requests to {host}. Try again in {time}.</source>
        <translation>Zu viele Anfragen an {host}. Versuchen Sie es in {time} erneut.</translation>
    </message>
    <message>
        <source>{name} has {all} layers, so at most {most} can draft.</source>
        <translation>{name} hat {all} Schichten, also können höchstens {most} vorschlagen.</translation>
    </message>
    <message>
        <source>{name} is not the early exit draft kept for this target.</source>
        <translation>{name} ist nicht der Early-Exit-Entwurf dieses Ziels.</translation>
    </message>
    <message>
        <source>{name} needs {size} GB of memory, more than is free.</source>
        <translation>{name} braucht {size} GB Speicher, mehr als frei ist.</translation>
    </message>
    <message>
        <source>{name} is shorter than expected.</source>
        <translation>{name} ist kürzer als erwartet.</translation>
    </message>
    <message>
        <source>{n} bytes at its end belong to no tensor</source>
        <translation>{n} Byte am Ende gehören zu keinem Tensor</translation>
    </message>
    <message>
        <source>{n} seconds</source>
        <translation>{n} Sekunden</translation>
    </message>
    <message>
        <source>{path} is a folder.</source>
        <translation>{path} ist ein Ordner.</translation>
    </message>
    <message>
        <source>{path} is damaged.</source>
        <translation>{path} ist beschädigt.</translation>
    </message>
    <message>
        <source>{path} is not a regular file.</source>
        <translation>{path} ist keine gewöhnliche Datei.</translation>
    </message>
    <message>
        <source>{path} is not in the Hub&apos;s cache.</source>
        <translation>{path} ist nicht im Cache des Hubs.</translation>
    </message>
    <message>
        <source>No permission to read {path}.</source>
        <translation>Keine Leserechte für {path}.</translation>
    </message>
    <message>
        <source>{path} was written by a newer version of specchat.</source>
        <translation>{path} stammt von einer neueren Version von specchat.</translation>
    </message>
    <message>
        <source>{percent} % accepted</source>
        <translation>{percent} % angenommen</translation>
    </message>
    <message>
        <source>{reference} is not on this computer.</source>
        <translation>{reference} ist nicht auf diesem Computer.</translation>
    </message>
    <message>
        <source>{repo} is not a valid repository name.</source>
        <translation>{repo} ist kein gültiger Repository-Name.</translation>
    </message>
    <message>
        <source>{repo} has no GGUF models.</source>
        <translation>{repo} hat keine GGUF-Modelle.</translation>
    </message>
    <message>
        <source>{repo} has no file {file}.</source>
        <translation>{repo} hat keine Datei {file}.</translation>
    </message>
    <message>
        <source>{repo} has no model file {file}.</source>
        <translation>{repo} hat keine Modelldatei {file}.</translation>
    </message>
    <message>
        <source>{repo} has no {quantization} model.</source>
        <translation>{repo} hat kein {quantization}-Modell.</translation>
    </message>
    <message>
        <source>{repo} has no revision {revision}.</source>
        <translation>{repo} hat keine Revision {revision}.</translation>
    </message>
    <message>
        <source>{repo} no longer contains this pair&apos;s model.</source>
        <translation>{repo} enthält das Modell dieses Paars nicht mehr.</translation>
    </message>
    <message>
        <source>{smaller}, {tokens}, {accepted}: {speed}.</source>
        <translation>{smaller}, {tokens}, {accepted}: {speed}.</translation>
    </message>
    <message>
        <source>{smaller}, {tokens}, {accepted}. Run a benchmark to see how fast it is.</source>
        <translation>{smaller}, {tokens}, {accepted}. Ein Leistungstest zeigt, wie schnell das ist.</translation>
    </message>
    <message>
        <source>{smaller}, {tokens}, {accepted}; {speed}.</source>
        <translation>{smaller}, {tokens}, {accepted}; {speed}.</translation>
    </message>
    <message>
        <source>{smaller}, {tokens}; {speed}.</source>
        <translation>{smaller}, {tokens}; {speed}.</translation>
    </message>
    <message>
        <source>{speed} with {length}</source>
        <translation>{speed} ({length})</translation>
    </message>
    <message>
        <source>{text} is not a model on the Hub.</source>
        <translation>{text} ist kein Modell auf dem Hub.</translation>
    </message>
    <message>
        <source>{text} is not the name of a model on the Hub.</source>
        <translation>{text} ist kein Modellname auf dem Hub.</translation>
    </message>
    <message>
        <source>{text} is already on this computer.</source>
        <translation>{text} ist schon auf diesem Computer.</translation>
    </message>
    <message>
        <source>{text} matches {n} models.</source>
        <translation>{text} passt auf {n} Modelle.</translation>
    </message>
    <message>
        <source>{thousands},{rest}</source>
        <translation>{thousands}.{rest}</translation>
    </message>
    <message>
        <source>reads {times}× less data per token</source>
        <translation>liest je Token {times}-mal weniger Daten</translation>
    </message>
    <message>
        <source>{way} ({models})</source>
        <translation>{way} ({models})</translation>
    </message>
    <message>
        <source>{way}: {reason}</source>
        <translation>{way}: {reason}</translation>
    </message>
    <message>
        <source>{where} sent a web page instead of an answer.</source>
        <translation>{where} hat statt einer Antwort eine Webseite gesendet.</translation>
    </message>
    <message>
        <source>{where} couldn&apos;t load {name}.</source>
        <translation>{where} konnte {name} nicht laden.</translation>
    </message>
    <message>
        <source>{where} no longer has this model, or isn&apos;t the address of an engine ({reason}).</source>
        <translation>{where} hat dieses Modell nicht mehr oder ist keine Adresse einer Engine ({reason}).</translation>
    </message>
    <message>
        <source>{where} no longer has this model, or isn&apos;t the address of an engine.</source>
        <translation>{where} hat dieses Modell nicht mehr oder ist keine Adresse einer Engine.</translation>
    </message>
    <message>
        <source>{where} doesn&apos;t respond like an engine: its reply is invalid.</source>
        <translation>{where} antwortet nicht wie eine Engine: Die Antwort ist ungültig.</translation>
    </message>
    <message>
        <source>{where} doesn&apos;t respond like an engine: its reply is not HTTP.</source>
        <translation>{where} antwortet nicht wie eine Engine: Die Antwort ist kein HTTP.</translation>
    </message>
    <message>
        <source>{where} has a problem (error {status}).</source>
        <translation>{where} hat ein Problem (Fehler {status}).</translation>
    </message>
    <message>
        <source>{where} has a problem (error {status}): {reason}</source>
        <translation>{where} hat ein Problem (Fehler {status}): {reason}</translation>
    </message>
    <message>
        <source>{where} has no model {name}.</source>
        <translation>{where} hat kein Modell {name}.</translation>
    </message>
    <message>
        <source>{where} has no models.</source>
        <translation>{where} hat keine Modelle.</translation>
    </message>
    <message>
        <source>{where} has several models.</source>
        <translation>{where} hat mehrere Modelle.</translation>
    </message>
    <message>
        <source>{where} is busy.</source>
        <translation>{where} ist ausgelastet.</translation>
    </message>
    <message>
        <source>{where} is busy: {reason}</source>
        <translation>{where} ist ausgelastet: {reason}</translation>
    </message>
    <message>
        <source>{where} is loading its model.</source>
        <translation>{where} lädt gerade das Modell.</translation>
    </message>
    <message>
        <source>The connection to {where} is not encrypted: others on the network could read your chats.</source>
        <translation>Die Verbindung zu {where} ist nicht verschlüsselt: Andere im Netz könnten Ihre Chats mitlesen.</translation>
    </message>
    <message>
        <source>The connection to {where} is not encrypted: others on the network could read your key and your chats. Use https:// if you can.</source>
        <translation>Die Verbindung zu {where} ist nicht verschlüsselt: Andere im Netz könnten Ihren Schlüssel und Ihre Chats mitlesen. Verwenden Sie möglichst https://.</translation>
    </message>
    <message>
        <source>each answer has a draft head&apos;s cache of its own, and there is no memory for more</source>
        <translation>jede Antwort hat einen eigenen Cache des Entwurfskopfs, und für weitere reicht der Speicher nicht</translation>
    </message>
    <message>
        <source>in exact mode, lookahead uses all branches of the cache</source>
        <translation>im exakten Modus braucht die Vorausschau alle Zweige des Caches</translation>
    </message>
    <message>
        <source>{model} can&apos;t see pictures.</source>
        <translation>{model} kann keine Bilder sehen.</translation>
    </message>
    <message>
        <source>{name} can&apos;t chat: it is made for embeddings or reranking.</source>
        <translation>{name} kann nicht chatten: Es ist für Embeddings oder Reranking gemacht.</translation>
    </message>
    <message>
        <source>{name} can&apos;t see pictures.</source>
        <translation>{name} kann keine Bilder sehen.</translation>
    </message>
    <message>
        <source>{name} has {width} x {height} pixels. A picture can have at most {n} million.</source>
        <translation>{name} hat {width} x {height} Pixel. Ein Bild darf höchstens {n} Millionen haben.</translation>
    </message>
    <message>
        <source>{name} is a WebP picture, which llama.cpp can&apos;t read.</source>
        <translation>{name} ist ein WebP-Bild, das llama.cpp nicht lesen kann.</translation>
    </message>
    <message>
        <source>{name} is an embedding model and can&apos;t chat.</source>
        <translation>{name} ist ein Embedding-Modell und kann nicht chatten.</translation>
    </message>
    <message>
        <source>{name} is damaged: it can&apos;t be decoded.</source>
        <translation>{name} ist beschädigt und lässt sich nicht dekodieren.</translation>
    </message>
    <message>
        <source>{name} is damaged: its size can&apos;t be read.</source>
        <translation>{name} ist beschädigt: Die Größe lässt sich nicht lesen.</translation>
    </message>
    <message>
        <source>{name} is not a picture that llama.cpp can read.</source>
        <translation>{name} ist kein Bild, das llama.cpp lesen kann.</translation>
    </message>
    <message>
        <source>{name} is not an mmproj file.</source>
        <translation>{name} ist keine mmproj-Datei.</translation>
    </message>
    <message>
        <source>{name} is not enabled.</source>
        <translation>{name} ist nicht aktiviert.</translation>
    </message>
    <message>
        <source>{name} is too long for {model}, which hears at most {n} seconds at once.</source>
        <translation>{name} ist zu lang für {model}: Es hört höchstens {n} Sekunden auf einmal.</translation>
    </message>
    <message>
        <source>{name} is too narrow: {width} x {height} pixels.</source>
        <translation>{name} ist zu schmal: {width} x {height} Pixel.</translation>
    </message>
    <message>
        <source>{name} was made for another model than {target}.</source>
        <translation>{name} wurde für ein anderes Modell als {target} gemacht.</translation>
    </message>
    <message>
        <source>{n} shares are set for {devices} devices.</source>
        <translation>Für {devices} Geräte sind {n} Anteile gesetzt.</translation>
    </message>
    <message>
        <source>{path} exists already.</source>
        <translation>{path} gibt es schon.</translation>
    </message>
    <message>
        <source>{tool} of {server} was not called without your consent.</source>
        <translation>{tool} von {server} wurde nicht ohne Ihre Zustimmung aufgerufen.</translation>
    </message>
    <message>
        <source>{where} isn&apos;t responding.</source>
        <translation>{where} antwortet nicht.</translation>
    </message>
    <message>
        <source>{where} redirects to another address.</source>
        <translation>{where} leitet zu einer anderen Adresse um.</translation>
    </message>
    <message>
        <source>{where} rejected the key.</source>
        <translation>{where} hat den Schlüssel abgelehnt.</translation>
    </message>
    <message>
        <source>{where} rejected the request (error {status}).</source>
        <translation>{where} hat die Anfrage abgelehnt (Fehler {status}).</translation>
    </message>
    <message>
        <source>{where} rejected the request (error {status}): {reason}</source>
        <translation>{where} hat die Anfrage abgelehnt (Fehler {status}): {reason}</translation>
    </message>
    <message>
        <source>{where} requires a key.</source>
        <translation>{where} verlangt einen Schlüssel.</translation>
    </message>
    <message>
        <source>{where} sent compressed data, which specchat didn&apos;t request.</source>
        <translation>{where} hat komprimierte Daten gesendet, die specchat nicht angefordert hat.</translation>
    </message>
    <message>
        <source>{where} sent too much data for one answer.</source>
        <translation>{where} hat für eine Antwort zu viele Daten gesendet.</translation>
    </message>
    <message>
        <source>{where} stopped answering.</source>
        <translation>{where} hat aufgehört zu antworten.</translation>
    </message>
    <message>
        <source>{where} stopped answering: {reason}</source>
        <translation>{where} hat aufgehört zu antworten: {reason}</translation>
    </message>
    <message>
        <source>{whole}.{part}</source>
        <translation>{whole},{part}</translation>
    </message>
</context>
<context>
    <name>SamplingForm</name>
    <message>
        <source>Whether the model thinks before it answers.</source>
        <translation>Ob das Modell nachdenkt, bevor es antwortet.</translation>
    </message>
    <message>
        <source>Random for each answer</source>
        <translation>Zufällig für jede Antwort</translation>
    </message>
    <message>
        <source>Model default</source>
        <translation>Wie im Modell</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>On</source>
        <translation>Ein</translation>
    </message>
    <message>
        <source>Low</source>
        <translation>Kurz</translation>
    </message>
    <message>
        <source>Medium</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>High</source>
        <translation>Lang</translation>
    </message>
    <message>
        <source>0: always the most likely token. Higher values: more varied answers.</source>
        <translation>0: immer das wahrscheinlichste Token. Höhere Werte: abwechslungsreichere Antworten.</translation>
    </message>
    <message>
        <source>Samples from this many of the most likely tokens.</source>
        <translation>Wählt unter so vielen der wahrscheinlichsten Token.</translation>
    </message>
    <message>
        <source>Samples from the most likely tokens that together reach this probability.</source>
        <translation>Wählt unter den wahrscheinlichsten Token, die zusammen diese Wahrscheinlichkeit erreichen.</translation>
    </message>
    <message>
        <source>Drops tokens below this fraction of the most likely token&apos;s probability.</source>
        <translation>Verwirft Token unter diesem Bruchteil der Wahrscheinlichkeit des wahrscheinlichsten.</translation>
    </message>
    <message>
        <source>Above 1: discourages repetition.</source>
        <translation>Über 1: weniger Wiederholungen.</translation>
    </message>
    <message>
        <source>The answer stops at this length. You can continue it.</source>
        <translation>Bei dieser Länge endet die Antwort. Sie können sie fortsetzen.</translation>
    </message>
    <message>
        <source>The same seed gives the same answer to the same prompt.</source>
        <translation>Derselbe Startwert ergibt auf denselben Prompt dieselbe Antwort.</translation>
    </message>
    <message>
        <source>Reasoning</source>
        <translation>Gedankengang</translation>
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
        <source>Max response tokens</source>
        <translation>Max. Token je Antwort</translation>
    </message>
    <message>
        <source>Random seed each time</source>
        <translation>Startwert jedes Mal zufällig</translation>
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
    <name>ScrollToEndButton</name>
    <message>
        <source>Scroll to end</source>
        <translation>Zum Ende</translation>
    </message>
</context>
<context>
    <name>SearchBox</name>
    <message>
        <source>Search all chats</source>
        <translation>Alle Chats durchsuchen</translation>
    </message>
    <message>
        <source>Search chats</source>
        <translation>Chats durchsuchen</translation>
    </message>
    <message>
        <source>Clear search</source>
        <translation>Suche leeren</translation>
    </message>
</context>
<context>
    <name>ServerCard</name>
    <message>
        <source>Enable {name}</source>
        <translation>{name} aktivieren</translation>
    </message>
    <message>
        <source>Left out: {tools}</source>
        <translation>Ausgelassen: {tools}</translation>
    </message>
    <message>
        <source>Restart</source>
        <translation>Neu starten</translation>
    </message>
    <message>
        <source>Reconnect</source>
        <translation>Neu verbinden</translation>
    </message>
    <message>
        <source>Edit server…</source>
        <translation>Server bearbeiten…</translation>
    </message>
    <message>
        <source>Remove server</source>
        <translation>Server entfernen</translation>
    </message>
    <message>
        <source>Changed since it was enabled. Enable it again.</source>
        <translation>Seit der Aktivierung geändert. Aktivieren Sie ihn erneut.</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>Aus</translation>
    </message>
    <message>
        <source>Running, 1 tool</source>
        <translation>Läuft, 1 Werkzeug</translation>
    </message>
    <message>
        <source>Running, {n} tools</source>
        <translation>Läuft, {n} Werkzeuge</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <source>Failed. {reason}</source>
        <translation>Fehlgeschlagen. {reason}</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Beendet</translation>
    </message>
    <message>
        <source>Left out for lack of room: {tools}. Turn off tools that you don&apos;t need.</source>
        <translation>Aus Platzmangel ausgelassen: {tools}. Schalten Sie Werkzeuge aus, die Sie nicht brauchen.</translation>
    </message>
    <message>
        <source>Left out for lack of room: {tools}. Turn off tools that you don&apos;t need, or load the model with a larger context.</source>
        <translation>Aus Platzmangel ausgelassen: {tools}. Schalten Sie Werkzeuge aus, die Sie nicht brauchen, oder laden Sie das Modell mit größerem Kontext.</translation>
    </message>
    <message>
        <source>Always allow</source>
        <translation>Immer erlauben</translation>
    </message>
    <message>
        <source>Always allow {tool}</source>
        <translation>{tool} immer erlauben</translation>
    </message>
</context>
<context>
    <name>ServerController</name>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
    <message>
        <source>The API server is off: its key is missing.</source>
        <translation>Der API-Server ist aus: Sein Schlüssel fehlt.</translation>
    </message>
    <message>
        <source>Enter the key again, or click Remove key to run without one.</source>
        <translation>Geben Sie den Schlüssel erneut ein, oder klicken Sie auf „Schlüssel entfernen“, um ohne Schlüssel zu arbeiten.</translation>
    </message>
</context>
<context>
    <name>ServerDialog</name>
    <message>
        <source>Add a server</source>
        <translation>Server hinzufügen</translation>
    </message>
    <message>
        <source>Edit server</source>
        <translation>Server bearbeiten</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Write one {sample} per line.</source>
        <translation>Schreiben Sie je Zeile einmal {sample}.</translation>
    </message>
    <message>
        <source>A quotation mark in the command is not closed.</source>
        <translation>Ein Anführungszeichen im Befehl ist nicht geschlossen.</translation>
    </message>
    <message>
        <source>Name: value</source>
        <translation>Name: Wert</translation>
    </message>
    <message>
        <source>NAME=value</source>
        <translation>NAME=Wert</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Command or address</source>
        <translation>Befehl oder Adresse</translation>
    </message>
    <message>
        <source>Folder (optional)</source>
        <translation>Ordner (optional)</translation>
    </message>
    <message>
        <source>Environment variables or headers (optional)</source>
        <translation>Umgebungsvariablen oder Header (optional)</translation>
    </message>
    <message>
        <source>The server is started only after you enable it.</source>
        <translation>Der Server wird erst gestartet, wenn Sie ihn aktivieren.</translation>
    </message>
</context>
<context>
    <name>ServerFailures</name>
    <message>
        <source>“{name}”</source>
        <translation>„{name}“</translation>
    </message>
    <message>
        <source>MCP servers {names} failed.</source>
        <translation>Die MCP-Server {names} sind fehlgeschlagen.</translation>
    </message>
    <message>
        <source>MCP server “{name}” failed. {reason}</source>
        <translation>MCP-Server „{name}“ ist fehlgeschlagen. {reason}</translation>
    </message>
    <message>
        <source>Settings…</source>
        <translation>Einstellungen…</translation>
    </message>
</context>
<context>
    <name>ServerKeyField</name>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Remove key</source>
        <translation>Schlüssel entfernen</translation>
    </message>
    <message>
        <source>Reading the keyring…</source>
        <translation>Schlüsselbund wird gelesen…</translation>
    </message>
    <message>
        <source>The key is missing. Enter it again, or click Remove key to run without one.</source>
        <translation>Der Schlüssel fehlt. Geben Sie ihn erneut ein, oder klicken Sie auf „Schlüssel entfernen“, um ohne Schlüssel zu arbeiten.</translation>
    </message>
    <message>
        <source>API key set</source>
        <translation>API-Schlüssel gesetzt</translation>
    </message>
    <message>
        <source>API key</source>
        <translation>API-Schlüssel</translation>
    </message>
    <message>
        <source>None</source>
        <translation>Keiner</translation>
    </message>
    <message>
        <source>Save key</source>
        <translation>Schlüssel speichern</translation>
    </message>
    <message>
        <source>API key (optional)</source>
        <translation>API-Schlüssel (optional)</translation>
    </message>
</context>
<context>
    <name>ServerPage</name>
    <message>
        <source>Enable local API server</source>
        <translation>Lokalen API-Server einschalten</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Server off</source>
        <translation>Server aus</translation>
    </message>
    <message>
        <source>Server starts when a model is loaded</source>
        <translation>Der Server startet, wenn ein Modell geladen ist</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>Wird gestartet…</translation>
    </message>
    <message>
        <source>Server running</source>
        <translation>Der Server läuft</translation>
    </message>
    <message>
        <source>Stopping after the current answer…</source>
        <translation>Endet nach der laufenden Antwort…</translation>
    </message>
    <message>
        <source>Address copied.</source>
        <translation>Adresse kopiert.</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>Port</translation>
    </message>
    <message>
        <source>Choose another port if a program already uses this one.</source>
        <translation>Wählen Sie einen anderen Port, wenn ein Programm diesen schon benutzt.</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Enter this URL in other programs.</source>
        <translation>Geben Sie diese URL in anderen Programmen ein.</translation>
    </message>
    <message>
        <source>Copy address</source>
        <translation>Adresse kopieren</translation>
    </message>
    <message>
        <source>Editors and scripts that use the API of OpenAI, Anthropic or Ollama can connect to the loaded models at this address. Any model name works, and each request sets its own sampling settings. Chats and API requests share the pair&apos;s “Answers at once”; further ones wait.</source>
        <translation>Editoren und Skripte, die die API von OpenAI, Anthropic oder Ollama verwenden, erreichen die geladenen Modelle unter dieser Adresse. Jeder Modellname funktioniert, und jede Anfrage hat ihre eigenen Sampling-Einstellungen. Chats und API-Anfragen teilen sich die „Gleichzeitigen Antworten“ des Paars; weitere warten.</translation>
    </message>
    <message>
        <source>Other computers can&apos;t connect to it.</source>
        <translation>Andere Computer können sich nicht damit verbinden.</translation>
    </message>
</context>
<context>
    <name>ServingIndicator</name>
    <message>
        <source>another program</source>
        <translation>ein anderes Programm</translation>
    </message>
    <message>
        <source>Local API server running at {url}</source>
        <translation>Lokaler API-Server läuft unter {url}</translation>
    </message>
    <message>
        <source>“{name}”</source>
        <translation>„{name}“</translation>
    </message>
    <message>
        <source>API: answering {program}, {n} waiting</source>
        <translation>API: für {program}, {n} wartend</translation>
    </message>
    <message>
        <source>API: answering {program}</source>
        <translation>API: für {program}</translation>
    </message>
    <message>
        <source>Server on, {n} waiting</source>
        <translation>Server an, {n} wartend</translation>
    </message>
    <message>
        <source>Server on</source>
        <translation>Server an</translation>
    </message>
</context>
<context>
    <name>SettingsController</name>
    <message>
        <source>Preset “{name}” replaced</source>
        <translation>Vorlage „{name}“ ersetzt</translation>
    </message>
    <message>
        <source>Preset “{name}” deleted</source>
        <translation>Vorlage „{name}“ gelöscht</translation>
    </message>
    <message>
        <source>Settings of the chat replaced</source>
        <translation>Einstellungen des Chats ersetzt</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>Dieser Chat</translation>
    </message>
    <message>
        <source>Application</source>
        <translation>Programm</translation>
    </message>
    <message>
        <source>Server</source>
        <translation>Server</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
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
        <source>Select all chats (in the sidebar)</source>
        <translation>Alle Chats auswählen (in der Seitenleiste)</translation>
    </message>
    <message>
        <source>Delete chats (in the sidebar)</source>
        <translation>Chats löschen (in der Seitenleiste)</translation>
    </message>
    <message>
        <source>Undo delete</source>
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
        <source>Insert a prompt (when the message box is empty)</source>
        <translation>Einen Prompt einfügen (wenn das Nachrichtenfeld leer ist)</translation>
    </message>
    <message>
        <source>Stop the answer, or close the open panel</source>
        <translation>Antwort anhalten oder offenes Panel schließen</translation>
    </message>
    <message>
        <source>Live stats overlay</source>
        <translation>Overlay mit Live-Statistik</translation>
    </message>
    <message>
        <source>Highlight draft tokens</source>
        <translation>Vorgeschlagene Token hervorheben</translation>
    </message>
    <message>
        <source>Copy the last answer</source>
        <translation>Letzte Antwort kopieren</translation>
    </message>
    <message>
        <source>Rename the chat</source>
        <translation>Chat umbenennen</translation>
    </message>
    <message>
        <source>Edit your last message</source>
        <translation>Ihre letzte Nachricht bearbeiten</translation>
    </message>
    <message>
        <source>Edit your last message (when the message box is empty)</source>
        <translation>Ihre letzte Nachricht bearbeiten (bei leerem Nachrichtenfeld)</translation>
    </message>
    <message>
        <source>Regenerate the last answer</source>
        <translation>Letzte Antwort neu erzeugen</translation>
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
        <source>Show or hide the sidebar</source>
        <translation>Seitenleiste ein- oder ausblenden</translation>
    </message>
    <message>
        <source>Show or hide live stats</source>
        <translation>Live-Statistik ein- oder ausblenden</translation>
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
        <source>Choose models for the chat</source>
        <translation>Modelle für den Chat wählen</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Open Models</source>
        <translation>„Modelle“ öffnen</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>Leistungstest</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
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
    <message>
        <source>Anything you type goes into the message box.</source>
        <translation>Was Sie tippen, kommt ins Nachrichtenfeld.</translation>
    </message>
</context>
<context>
    <name>SideController</name>
    <message>
        <source>Both answer at once, in different engines.</source>
        <translation>Beide antworten gleichzeitig, in verschiedenen Engines.</translation>
    </message>
    <message>
        <source>They answer one after the other, so that neither slows the other down.</source>
        <translation>Sie antworten nacheinander, damit keine die andere bremst.</translation>
    </message>
    <message>
        <source>They answer one after the other, as only one pair is loaded at a time.</source>
        <translation>Sie antworten nacheinander, weil immer nur ein Paar geladen ist.</translation>
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
        <source>Models</source>
        <translation>Modelle</translation>
    </message>
    <message>
        <source>Benchmark</source>
        <translation>Leistungstest</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Your chats appear here.</source>
        <translation>Ihre Chats erscheinen hier.</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Nichts gefunden</translation>
    </message>
    <message>
        <source>First {n} results, in 1 chat</source>
        <translation>Die ersten {n} Treffer, in 1 Chat</translation>
    </message>
    <message>
        <source>First {n} results, in {m} chats</source>
        <translation>Die ersten {n} Treffer, in {m} Chats</translation>
    </message>
    <message>
        <source>1 result</source>
        <translation>1 Treffer</translation>
    </message>
    <message>
        <source>{n} results in 1 chat</source>
        <translation>{n} Treffer in 1 Chat</translation>
    </message>
    <message>
        <source>{n} results in {m} chats</source>
        <translation>{n} Treffer in {m} Chats</translation>
    </message>
</context>
<context>
    <name>SpecchatPage</name>
    <message>
        <source>Copy details</source>
        <translation>Details kopieren</translation>
    </message>
    <message>
        <source>Open logs folder</source>
        <translation>Protokollordner öffnen</translation>
    </message>
    <message>
        <source>Copied. Contains nothing about you, this computer, or your files.</source>
        <translation>Kopiert. Enthält nichts über Sie, diesen Computer oder Ihre Dateien.</translation>
    </message>
    <message>
        <source>Chats are stored on this computer, and sent only to other engines, machines and MCP servers that you add.</source>
        <translation>Chats sind auf diesem Computer gespeichert und werden nur an andere Engines, Computer und MCP-Server gesendet, die Sie hinzufügen.</translation>
    </message>
    <message>
        <source>Otherwise, specchat goes online only to search for and download models (huggingface.co).</source>
        <translation>Sonst geht specchat nur online, um Modelle zu suchen und herunterzuladen (huggingface.co).</translation>
    </message>
    <message>
        <source>Otherwise, specchat goes online only to search for and download models (huggingface.co) and to check for updates ({host}).</source>
        <translation>Sonst geht specchat nur online, um Modelle zu suchen und herunterzuladen (huggingface.co) und um nach Aktualisierungen zu suchen ({host}).</translation>
    </message>
    <message>
        <source>For bug reports</source>
        <translation>Für Fehlerberichte</translation>
    </message>
    <message>
        <source>Chat with models on your own computer, sped up by a small draft model.</source>
        <translation>Mit Modellen auf dem eigenen Computer chatten, beschleunigt durch ein kleines Entwurfsmodell.</translation>
    </message>
    <message>
        <source>{copyright} · MIT license</source>
        <translation>{copyright} · MIT-Lizenz</translation>
    </message>
</context>
<context>
    <name>SpeculationStatsPage</name>
    <message>
        <source>Speculation stats</source>
        <translation>Statistik der Vorschläge</translation>
    </message>
    <message>
        <source>Position of the guess</source>
        <translation>Position des Vorschlags</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Time saved or lost: not reported</source>
        <translation>Gesparte oder verlorene Zeit: nicht gemeldet</translation>
    </message>
    <message>
        <source>Mostly from the draft</source>
        <translation>Meist vom Entwurf</translation>
    </message>
    <message>
        <source>Mostly from earlier text</source>
        <translation>Meist aus früherem Text</translation>
    </message>
    <message>
        <source>Time lost</source>
        <translation>Verlorene Zeit</translation>
    </message>
    <message>
        <source>Drafter not reported</source>
        <translation>Vorschlagsart nicht gemeldet</translation>
    </message>
    <message>
        <source>Guess {n}</source>
        <translation>Vorschlag {n}</translation>
    </message>
    <message>
        <source>all answers</source>
        <translation>alle Antworten</translation>
    </message>
    <message>
        <source>Accepted by position, {whose}</source>
        <translation>Angenommen nach Position, {whose}</translation>
    </message>
    <message>
        <source>Accepted by position, {whose}: not reported</source>
        <translation>Angenommen nach Position, {whose}: nicht gemeldet</translation>
    </message>
    <message>
        <source>Accepted per answer</source>
        <translation>Angenommen je Antwort</translation>
    </message>
    <message>
        <source>Time saved or lost per answer</source>
        <translation>Gesparte oder verlorene Zeit je Antwort</translation>
    </message>
    <message>
        <source>Stats appear here after the next answer.</source>
        <translation>Die Statistik erscheint hier nach der nächsten Antwort.</translation>
    </message>
    <message>
        <source>Stats per answer</source>
        <translation>Statistik je Antwort</translation>
    </message>
</context>
<context>
    <name>SpeedBadge</name>
    <message>
        <source>speed unknown</source>
        <translation>Geschwindigkeit unbekannt</translation>
    </message>
    <message>
        <source>estimate: {n}× as fast</source>
        <translation>geschätzt: {n}× so schnell</translation>
    </message>
    <message>
        <source>estimate: {n}×</source>
        <translation>geschätzt: {n}×</translation>
    </message>
</context>
<context>
    <name>Start</name>
    <message>
        <source>Recover the readable chats, or start with no chats. Either way, the damaged file stays in its folder.</source>
        <translation>Retten Sie die lesbaren Chats, oder beginnen Sie ohne Chats. Die beschädigte Datei bleibt in jedem Fall in ihrem Ordner.</translation>
    </message>
    <message>
        <source>Recover chats</source>
        <translation>Chats retten</translation>
    </message>
    <message>
        <source>Start with no chats</source>
        <translation>Ohne Chats beginnen</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>StatsOverlay</name>
    <message>
        <source>Time saved by speculation</source>
        <translation>Durch Vorschläge gesparte Zeit</translation>
    </message>
    <message>
        <source>Hide</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Click for the stats of the whole chat. Drag to move. Double-click to collapse.</source>
        <translation>Klicken zeigt die Statistik des ganzen Chats. Ziehen verschiebt, Doppelklicken klappt ein.</translation>
    </message>
    <message>
        <source>Per pass: tokens per target pass, including the target&apos;s own.</source>
        <translation>Je Lauf: Token je Durchlauf des Ziels, sein eigenes eingeschlossen.</translation>
    </message>
    <message>
        <source>Expand</source>
        <translation>Ausklappen</translation>
    </message>
    <message>
        <source>Collapse</source>
        <translation>Einklappen</translation>
    </message>
</context>
<context>
    <name>StatsOverlayController</name>
    <message>
        <source>Another program</source>
        <translation>Anderes Programm</translation>
    </message>
</context>
<context>
    <name>StatusBar</name>
    <message>
        <source>Status</source>
        <translation>Status</translation>
    </message>
</context>
<context>
    <name>StatusController</name>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>{doing}… Press Esc to stop.</source>
        <translation>{doing}… Esc bricht ab.</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Nachricht</translation>
    </message>
    <message>
        <source>You can type while the model loads</source>
        <translation>Sie können schon tippen, während das Modell lädt</translation>
    </message>
    <message>
        <source>Choose a model to start</source>
        <translation>Wählen Sie ein Modell, um zu beginnen</translation>
    </message>
    <message>
        <source>Type a message and press Enter. {key} shows all shortcuts.</source>
        <translation>Nachricht eingeben und Enter drücken. {key} zeigt alle Tastenkürzel.</translation>
    </message>
    <message>
        <source>Add a model</source>
        <translation>Modell hinzufügen</translation>
    </message>
    <message>
        <source>System prompt of the project: {text}</source>
        <translation>Systemprompt des Projekts: {text}</translation>
    </message>
    <message>
        <source>Files of the project: {text}</source>
        <translation>Dateien des Projekts: {text}</translation>
    </message>
    <message>
        <source>This project has no system prompt and no files yet.</source>
        <translation>Dieses Projekt hat noch keinen Systemprompt und keine Dateien.</translation>
    </message>
    <message>
        <source>New chat in {project}</source>
        <translation>Neuer Chat in {project}</translation>
    </message>
    <message>
        <source>specchat makes answers faster. A small model, the draft, guesses ahead, and a large model, the target, checks every guess. A wrong guess may cost time, but it never makes the answer worse. Everything runs on this computer.</source>
        <translation>specchat macht Antworten schneller. Ein kleines Modell, der Entwurf, schlägt die nächsten Token vor, und ein großes Modell, das Ziel, prüft jeden Vorschlag. Ein falscher Vorschlag kostet vielleicht Zeit, macht die Antwort aber nie schlechter. Alles läuft auf diesem Computer.</translation>
    </message>
    <message>
        <source>This demo is a tiny model with an even smaller draft, and it knows only about specchat. Ask it something and watch how many guesses are accepted. Then add a real model. Large models gain the most.</source>
        <translation>Diese Demo ist ein winziges Modell mit noch kleinerem Entwurf. Sie kennt nur specchat und spricht nur Englisch. Fragen Sie etwas, und sehen Sie zu, wie viele Vorschläge angenommen werden. Fügen Sie dann ein richtiges Modell hinzu. Große Modelle gewinnen am meisten.</translation>
    </message>
    <message>
        <source>This demo is a tiny model that knows only about specchat. Speculation is off. Choose a draft at the top to watch how many guesses are accepted. Then add a real model. Large models gain the most.</source>
        <translation>Diese Demo ist ein winziges Modell. Sie kennt nur specchat und spricht nur Englisch. Vorschläge sind aus. Wählen Sie oben einen Entwurf, um zu sehen, wie viele Vorschläge angenommen werden. Fügen Sie dann ein richtiges Modell hinzu. Große Modelle gewinnen am meisten.</translation>
    </message>
    <message>
        <source>Welcome to specchat</source>
        <translation>Willkommen bei specchat</translation>
    </message>
    <message>
        <source>Which draft fits my model?</source>
        <translation>Which draft fits my model?</translation>
    </message>
    <message>
        <source>Processing the prompt: {percent}</source>
        <translation>Verarbeitet den Prompt: {percent}</translation>
    </message>
    <message>
        <source>{doing}… Your message will be sent afterward. Press Esc to stop.</source>
        <translation>{doing}… Ihre Nachricht wird danach gesendet. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Your message will be sent once the models reload.</source>
        <translation>Die Nachricht wird gesendet, sobald die Modelle wieder geladen sind.</translation>
    </message>
    <message>
        <source>You can type while specchat measures</source>
        <translation>Sie können schon tippen, während specchat misst</translation>
    </message>
    <message>
        <source>Get a model that answers, and a smaller one of the same family as its draft.</source>
        <translation>Laden Sie ein Modell, das antwortet, und ein kleineres derselben Familie als seinen Entwurf herunter.</translation>
    </message>
    <message>
        <source>What is a draft model?</source>
        <translation>What is a draft model?</translation>
    </message>
    <message>
        <source>Does a draft make the answer worse?</source>
        <translation>Does a draft make the answer worse?</translation>
    </message>
    <message>
        <source>Not sent. Choose a model first.</source>
        <translation>Nicht gesendet. Wählen Sie zuerst ein Modell.</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>Schreibt…</translation>
    </message>
    <message>
        <source>Waiting for another program&apos;s request to finish. Press Esc to cancel.</source>
        <translation>Wartet auf die Anfrage eines anderen Programms. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Another chat is still answering. Press Esc to cancel this message.</source>
        <translation>Ein anderer Chat antwortet noch. Esc bricht ab.</translation>
    </message>
    <message>
        <source>Not sent. Wait for the answer, or press Esc to stop it.</source>
        <translation>Nicht gesendet. Warten Sie auf die Antwort, oder halten Sie sie mit Esc an.</translation>
    </message>
</context>
<context>
    <name>Step</name>
    <message>
        <source>Choose a target first.</source>
        <translation>Wählen Sie zuerst ein Ziel.</translation>
    </message>
    <message>
        <source>Reading model headers…</source>
        <translation>Header der Modelle werden gelesen…</translation>
    </message>
    <message>
        <source>Without a draft, specchat guesses from earlier text.</source>
        <translation>Ohne Entwurf nimmt specchat Vorschläge aus früherem Text.</translation>
    </message>
    <message>
        <source>Load anyway</source>
        <translation>Trotzdem laden</translation>
    </message>
    <message>
        <source>Chat with this model</source>
        <translation>Mit diesem Modell chatten</translation>
    </message>
    <message>
        <source>Chat with this pair</source>
        <translation>Mit diesem Paar chatten</translation>
    </message>
    <message>
        <source>Download {size} anyway</source>
        <translation>{size} trotzdem herunterladen</translation>
    </message>
    <message>
        <source>Download {size}</source>
        <translation>{size} herunterladen</translation>
    </message>
    <message>
        <source>No settings make it fit. Choose a smaller model.</source>
        <translation>Es passt mit keinen Einstellungen. Wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>Fits with {changes}.</source>
        <translation>Passt mit {changes}.</translation>
    </message>
    <message>
        <source>Doesn&apos;t fit: loading may fail or be very slow.</source>
        <translation>Passt nicht: Das Laden kann scheitern oder sehr lange dauern.</translation>
    </message>
    <message>
        <source>More memory stays free with {changes}.</source>
        <translation>Mehr Speicher bleibt frei mit {changes}.</translation>
    </message>
    <message>
        <source>Almost no free memory will be left: other programs may slow down.</source>
        <translation>Es bleibt fast kein freier Speicher: Andere Programme können langsamer werden.</translation>
    </message>
    <message>
        <source>Changed: {changes}.</source>
        <translation>Geändert: {changes}.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Erneut versuchen</translation>
    </message>
    <message>
        <source>Click to see downloads.</source>
        <translation>Klicken, um die Downloads zu sehen.</translation>
    </message>
    <message>
        <source>The download failed at {percent}.</source>
        <translation>Der Download ist bei {percent} fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Download failed</source>
        <translation>Download fehlgeschlagen</translation>
    </message>
    <message>
        <source>Paused at {percent}</source>
        <translation>Angehalten bei {percent}</translation>
    </message>
    <message>
        <source>Waiting at {percent}</source>
        <translation>Wartet bei {percent}</translation>
    </message>
    <message>
        <source>Downloading {percent}</source>
        <translation>Lädt herunter: {percent}</translation>
    </message>
</context>
<context>
    <name>StepStrip</name>
    <message>
        <source>Each column is one target pass: accepted guesses, the target&apos;s own token on top, and rejected guesses in gray. Striped guesses come from earlier text.</source>
        <translation>Jede Säule ist ein Durchlauf des Ziels: angenommene Vorschläge, obenauf das eigene Token des Ziels und in Grau die verworfenen Vorschläge. Gestreifte Vorschläge stammen aus früherem Text.</translation>
    </message>
</context>
<context>
    <name>TabBar</name>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
</context>
<context>
    <name>TargetCard</name>
    <message>
        <source>Use as target</source>
        <translation>Als Ziel verwenden</translation>
    </message>
    <message>
        <source>Use {name} as target</source>
        <translation>{name} als Ziel verwenden</translation>
    </message>
</context>
<context>
    <name>Token</name>
    <message>
        <source>guess {n} in its pass</source>
        <translation>Vorschlag {n} im Durchlauf</translation>
    </message>
    <message>
        <source>probability {p} %</source>
        <translation>Wahrscheinlichkeit {p} %</translation>
    </message>
    <message>
        <source>The engine doesn&apos;t report where it came from</source>
        <translation>Die Engine meldet nicht, woher es stammt</translation>
    </message>
    <message>
        <source>Chosen by the target</source>
        <translation>Vom Ziel gewählt</translation>
    </message>
    <message>
        <source>Written by you</source>
        <translation>Von Ihnen geschrieben</translation>
    </message>
    <message>
        <source>Guessed by {source}, accepted</source>
        <translation>Von {source} vorgeschlagen, angenommen</translation>
    </message>
</context>
<context>
    <name>ToolCall</name>
    <message>
        <source>done</source>
        <translation>erledigt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>not allowed</source>
        <translation>nicht erlaubt</translation>
    </message>
    <message>
        <source>canceled</source>
        <translation>abgebrochen</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>Ergebnis</translation>
    </message>
</context>
<context>
    <name>ToolsController</name>
    <message>
        <source>The loaded model can&apos;t call tools.</source>
        <translation>Das geladene Modell kann keine Werkzeuge aufrufen.</translation>
    </message>
    <message>
        <source>Connect to this server?</source>
        <translation>Mit diesem Server verbinden?</translation>
    </message>
    <message>
        <source>Start this program?</source>
        <translation>Dieses Programm starten?</translation>
    </message>
    <message>
        <source>It runs with your rights each time specchat starts. Enable it only if you trust it.</source>
        <translation>Es läuft bei jedem Start von specchat mit Ihren Rechten. Aktivieren Sie es nur, wenn Sie ihm vertrauen.</translation>
    </message>
    <message>
        <source>The model&apos;s calls are sent to it. Enable it only if you trust it.</source>
        <translation>Die Aufrufe des Modells werden an ihn gesendet. Aktivieren Sie ihn nur, wenn Sie ihm vertrauen.</translation>
    </message>
    <message>
        <source>Enable</source>
        <translation>Aktivieren</translation>
    </message>
    <message>
        <source>Remove “{name}” from mcp.json?</source>
        <translation>„{name}“ aus mcp.json entfernen?</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>No program opens JSON files.</source>
        <translation>Kein Programm öffnet JSON-Dateien.</translation>
    </message>
    <message>
        <source>Edit {path} in a text editor.</source>
        <translation>Bearbeiten Sie {path} in einem Texteditor.</translation>
    </message>
</context>
<context>
    <name>ToolsPage</name>
    <message>
        <source>Add server…</source>
        <translation>Server hinzufügen…</translation>
    </message>
    <message>
        <source>Open mcp.json</source>
        <translation>mcp.json öffnen</translation>
    </message>
    <message>
        <source>MCP servers give the model tools, such as reading files or searching the web. Servers run with your rights: enable only those that you trust. specchat asks before each call.</source>
        <translation>MCP-Server geben dem Modell Werkzeuge, etwa um Dateien zu lesen oder im Web zu suchen. Server laufen mit Ihren Rechten: Aktivieren Sie nur solche, denen Sie vertrauen. specchat fragt vor jedem Aufruf.</translation>
    </message>
</context>
<context>
    <name>TranscriptView</name>
    <message>
        <source>Chat</source>
        <translation>Chat</translation>
    </message>
</context>
<context>
    <name>TrashController</name>
    <message>
        <source>Project moved to the trash</source>
        <translation>Projekt im Papierkorb</translation>
    </message>
    <message>
        <source>Project and its chats moved to the trash</source>
        <translation>Projekt und seine Chats im Papierkorb</translation>
    </message>
    <message>
        <source>Chat moved to the trash</source>
        <translation>Chat im Papierkorb</translation>
    </message>
    <message>
        <source>{n} chats moved to the trash</source>
        <translation>{n} Chats im Papierkorb</translation>
    </message>
    <message>
        <source>Message moved to the trash</source>
        <translation>Nachricht im Papierkorb</translation>
    </message>
    <message>
        <source>Message and the one after it moved to the trash</source>
        <translation>Nachricht und die folgende im Papierkorb</translation>
    </message>
    <message>
        <source>Message and the {n} after it moved to the trash</source>
        <translation>Nachricht und die {n} folgenden im Papierkorb</translation>
    </message>
</context>
<context>
    <name>TrashDialog</name>
    <message>
        <source>Trash</source>
        <translation>Papierkorb</translation>
    </message>
    <message>
        <source>Deleted chats and messages</source>
        <translation>Gelöschte Chats und Nachrichten</translation>
    </message>
    <message>
        <source>Delete permanently</source>
        <translation>Endgültig löschen</translation>
    </message>
    <message>
        <source>Restore</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Delete permanently…</source>
        <translation>Endgültig löschen…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Deleted chats and messages are kept here for 30 days.</source>
        <translation>Gelöschte Chats und Nachrichten bleiben hier 30 Tage.</translation>
    </message>
    <message>
        <source>Trash is empty. Deleted chats and messages are kept here for 30 days.</source>
        <translation>Der Papierkorb ist leer. Gelöschte Chats und Nachrichten bleiben hier 30 Tage.</translation>
    </message>
    <message>
        <source>Permanently delete all {n} items?</source>
        <translation>Alle {n} Einträge endgültig löschen?</translation>
    </message>
    <message>
        <source>Its chats stay in the trash. This can&apos;t be undone.</source>
        <translation>Seine Chats bleiben im Papierkorb. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>Replies to it that you deleted earlier will also be permanently deleted. This can&apos;t be undone.</source>
        <translation>Antworten darauf, die Sie früher gelöscht haben, werden ebenfalls endgültig gelöscht. Das lässt sich nicht rückgängig machen.</translation>
    </message>
    <message>
        <source>deleted {date}</source>
        <translation>gelöscht am {date}</translation>
    </message>
    <message>
        <source>Project, without its chats</source>
        <translation>Projekt, ohne seine Chats</translation>
    </message>
    <message>
        <source>Project with 1 chat</source>
        <translation>Projekt mit 1 Chat</translation>
    </message>
    <message>
        <source>Project with {n} chats</source>
        <translation>Projekt mit {n} Chats</translation>
    </message>
    <message>
        <source>1 message in “{chat}”</source>
        <translation>1 Nachricht in „{chat}“</translation>
    </message>
    <message>
        <source>{n} messages in “{chat}”</source>
        <translation>{n} Nachrichten in „{chat}“</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Neuer Chat</translation>
    </message>
    <message>
        <source>Empty message</source>
        <translation>Leere Nachricht</translation>
    </message>
    <message>
        <source>Permanently delete “{title}”?</source>
        <translation>„{title}“ endgültig löschen?</translation>
    </message>
    <message>
        <source>Empty trash…</source>
        <translation>Papierkorb leeren…</translation>
    </message>
    <message>
        <source>This can&apos;t be undone.</source>
        <translation>Das lässt sich nicht rückgängig machen.</translation>
    </message>
</context>
<context>
    <name>Unsaved</name>
    <message>
        <source>Can&apos;t save the answer: the disk is full.</source>
        <translation>Die Antwort kann nicht gespeichert werden: Der Datenträger ist voll.</translation>
    </message>
    <message>
        <source>Free up some space and keep the window open. specchat will then save the answer automatically.</source>
        <translation>Schaffen Sie Platz, und lassen Sie das Fenster offen. specchat speichert die Antwort dann automatisch.</translation>
    </message>
    <message>
        <source>Can&apos;t save the answer: another program is using the chat database.</source>
        <translation>Die Antwort kann nicht gespeichert werden: Ein anderes Programm benutzt die Chat-Datenbank.</translation>
    </message>
    <message>
        <source>Close that program and keep the window open. specchat will then save the answer automatically.</source>
        <translation>Schließen Sie das andere Programm, und lassen Sie das Fenster offen. specchat speichert die Antwort dann automatisch.</translation>
    </message>
    <message>
        <source>Can&apos;t save the answer: {reason}</source>
        <translation>Die Antwort kann nicht gespeichert werden: {reason}</translation>
    </message>
    <message>
        <source>{hint} Keep the window open. specchat will then save the answer automatically.</source>
        <translation>{hint} Lassen Sie das Fenster offen. specchat speichert die Antwort dann automatisch.</translation>
    </message>
</context>
<context>
    <name>UpdateBox</name>
    <message>
        <source>Open the download page…</source>
        <translation>Downloadseite öffnen…</translation>
    </message>
    <message>
        <source>Update checks are off in this copy. Update it the way you installed it.</source>
        <translation>In dieser Kopie wird nicht nach Aktualisierungen gesucht. Aktualisieren Sie sie so, wie Sie sie installiert haben.</translation>
    </message>
    <message>
        <source>specchat checks for updates only when you click. The check asks {host} for the latest version and sends nothing else.</source>
        <translation>specchat sucht nur nach Aktualisierungen, wenn Sie klicken. Dabei fragt es {host} nach der neuesten Version und sendet sonst nichts.</translation>
    </message>
    <message>
        <source>Checking {host}…</source>
        <translation>{host} wird abgefragt…</translation>
    </message>
    <message>
        <source>specchat {version} is up to date.</source>
        <translation>specchat {version} ist die neueste Version.</translation>
    </message>
    <message>
        <source>specchat {version} is available.</source>
        <translation>specchat {version} ist verfügbar.</translation>
    </message>
    <message>
        <source>Couldn&apos;t check for updates.</source>
        <translation>Die Suche nach Aktualisierungen ist fehlgeschlagen.</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Check for updates</source>
        <translation>Nach Aktualisierungen suchen</translation>
    </message>
    <message>
        <source>What&apos;s new</source>
        <translation>Neuigkeiten</translation>
    </message>
</context>
<context>
    <name>Verdict</name>
    <message>
        <source>The models&apos; vocabularies differ. Choose a draft from the target&apos;s family.</source>
        <translation>Die Vokabulare der Modelle unterscheiden sich. Wählen Sie einen Entwurf aus der Familie des Ziels.</translation>
    </message>
    <message>
        <source>The models mark the start or end of text differently. Choose a draft from the target&apos;s family.</source>
        <translation>Die Modelle kennzeichnen Textanfang oder -ende verschieden. Wählen Sie einen Entwurf aus der Familie des Ziels.</translation>
    </message>
    <message>
        <source>Same vocabulary</source>
        <translation>Gleiches Vokabular</translation>
    </message>
    <message>
        <source>Compatible</source>
        <translation>Kompatibel</translation>
    </message>
    <message>
        <source>Different vocabulary</source>
        <translation>Anderes Vokabular</translation>
    </message>
    <message>
        <source>Incompatible</source>
        <translation>Inkompatibel</translation>
    </message>
    <message>
        <source>Vocabulary: {target} tokens in the target, {draft} in the draft.</source>
        <translation>Vokabular: {target} Token im Ziel, {draft} im Entwurf.</translation>
    </message>
    <message>
        <source>First difference: token {id} is {target} in the target, {draft} in the draft.</source>
        <translation>Erster Unterschied: Token {id} ist {target} im Ziel, {draft} im Entwurf.</translation>
    </message>
</context>
<context>
    <name>VersionSwitcher</name>
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
    <name>WelcomePage</name>
    <message>
        <source>Find models…</source>
        <translation>Modelle suchen…</translation>
    </message>
    <message>
        <source>Add a GGUF file…</source>
        <translation>GGUF-Datei hinzufügen…</translation>
    </message>
</context>
<context>
    <name>_Busy</name>
    <message>
        <source>Looking for drafts</source>
        <translation>Entwürfe werden gesucht</translation>
    </message>
</context>
<context>
    <name>_ChartView</name>
    <message>
        <source>Chart of the results in the table below.</source>
        <translation>Diagramm der Ergebnisse in der Tabelle darunter.</translation>
    </message>
</context>
</TS>
