# Tells whether settings of Claude Code hand an event to the repository's launcher as `git mem init` writes it: exit 0.
# awk -v event=SessionStart -f settings.awk settings.json
# A repository's settings come from anybody who can push a branch, and the same words in a note or behind a matcher that
# never matches are no hook. So the file is parsed as JSON, and only a whole entry of ours counts. What is unusual (a key
# twice, an escaped key, an option that we do not know) counts as no entry: an event that is reported twice costs time only.

{ text = text $0 "\n" }

END {
  if (length(text) > 200000 || !tokenise()) exit 1
  group = "/\"hooks\"/\"" event "\"/[]"
  hook = group "/\"hooks\"/[]"
  command = "\"sh \\\"${CLAUDE_PROJECT_DIR:-.}/.memory/hook\\\" claude-code " event " 2>/dev/null || true\""
  matcher = event == "PreToolUse" ? "\"Read|Edit|MultiEdit|Write|NotebookEdit|Bash\"" : "\"\""
  at = 1
  value("")
  exit !(found && !bad && at == count + 1)
}

function tokenise() {
  count = 0
  for (;;) {
    sub(/^[ \t\r\n]+/, "", text)
    if (text == "") return count > 0
    if (!match(text, /^"([^"\\]|\\.)*"/) && !match(text, /^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) &&
        !match(text, /^(true|false|null)/) && !match(text, /^[][{}:,]/)) return 0
    token[++count] = substr(text, 1, RLENGTH)
    if (token[count] ~ /[[:cntrl:]]/) return 0
    text = substr(text, RLENGTH + 1)
  }
}

function value(path,    first) {
  first = token[at++]
  if (first == "{") object(path)
  else if (first == "[") array(path)
  else if (first ~ /^[]},:]?$/) bad = 1
  else leaf(path, first)
}

function array(path) {
  if (token[at] == "]") { at++; return }
  for (;;) {
    value(path "/[]")
    if (bad || token[at++] == "]") return
    if (token[at - 1] != ",") { bad = 1; return }
  }
}

function object(path,    key, seen) {
  enter(path)
  if (token[at] == "}") { at++; return }
  for (;;) {
    key = token[at++]
    if (key !~ /^"[^\\]*"$/ || index(seen, key) || token[at++] != ":") { bad = 1; return }
    seen = seen key
    named(path, key)
    value(path "/" key)
    if (bad) return
    if (token[at++] == "}") { leave(path); return }
    if (token[at - 1] != ",") { bad = 1; return }
  }
}

function enter(path) {
  if (path == group) { isGroup = 1; isHit = 0; matches = 1 }
  if (path == hook) { isHook = 1; isCommand = 0; isOurs = 0 }
}

function named(path, key) {
  if (path == group && key != "\"matcher\"" && key != "\"hooks\"") isGroup = 0
  if (path == hook && key != "\"type\"" && key != "\"command\"" && key != "\"timeout\"") isHook = 0
}

function leaf(path, said) {
  if (path == group "/\"matcher\"") matches = said == matcher
  if (path == hook "/\"type\"") isCommand = said == "\"command\""
  if (path == hook "/\"command\"") isOurs = said == command
}

function leave(path) {
  if (path == hook && isHook && isCommand && isOurs) isHit = 1
  if (path == group && isGroup && isHit && matches) found = 1
}
