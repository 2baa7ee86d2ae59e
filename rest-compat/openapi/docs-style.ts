/** The style sheet of the documentation page, embedded in the page. */
export const DOCS_STYLE = `
:root {
  color-scheme: light dark;
  --ink: #1d2433; --soft: #5d6880; --line: #dfe3ea; --paper: #fff; --shade: #f5f7fa;
  --get: #1b7f5c; --post: #2a5fd0; --patch: #a4650b; --delete: #c0392b;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8f0; --soft: #98a3b8; --line: #2c3444; --paper: #12161f; --shade: #1a202c;
    --get: #4cc79a; --post: #7ba4ff; --patch: #e5ad5b; --delete: #ff8678;
  }
}
* { box-sizing: border-box }
body {
  margin: 0; font: 15px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  display: grid; grid-template-columns: 290px minmax(0, 1fr);
}
nav {
  position: sticky; top: 0; height: 100vh; overflow: auto; padding: 24px 20px; font-size: 13px;
  border-right: 1px solid var(--line); background: var(--shade);
}
nav h1 { font-size: 16px; margin: 0 0 4px }
nav p { margin: 0 0 16px }
nav h2 { font-size: 12px; margin: 18px 0 4px; color: var(--soft) }
nav a[href^='#'] { display: flex; gap: 8px; padding: 2px 0; color: inherit; text-decoration: none; overflow-wrap: anywhere }
nav a[href^='#']:hover span:last-child { text-decoration: underline }
nav details { border: 0; margin: 16px 0 0; background: none }
nav summary { display: none }
[hidden] { display: none !important }
label { display: block; margin: 8px 0; font-size: 12px; color: var(--soft) }
input, textarea {
  display: block; width: 100%; margin-top: 2px; padding: 6px 8px; font: 13px ui-monospace, monospace;
  color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 6px;
}
button {
  padding: 6px 16px; font: inherit; color: var(--paper); background: var(--post); border: 0; border-radius: 6px;
  cursor: pointer;
}
pre, output {
  display: block; margin: 0; padding: 10px 12px; overflow: auto; max-height: 420px; white-space: pre;
  font: 12px/1.5 ui-monospace, monospace; background: var(--shade); border-radius: 6px;
}
output:empty { display: none }
output { margin-top: 10px }
output[data-ok='false'] { color: var(--delete) }
main { padding: 32px 48px 96px; max-width: 980px }
section { margin-bottom: 48px }
h2 { font-size: 24px; margin: 0 0 16px }
h3 { font-size: 15px; margin: 20px 0 6px }
h4 { font-size: 13px; margin: 18px 0 6px; color: var(--soft) }
a { color: var(--post) }
code { font: 13px ui-monospace, monospace; overflow-wrap: anywhere }
ul { margin: 0; padding-left: 20px }
details { border: 1px solid var(--line); border-radius: 8px; margin-bottom: 10px; background: var(--paper) }
summary { display: flex; gap: 12px; align-items: baseline; padding: 10px 14px; cursor: pointer; list-style: none }
summary::-webkit-details-marker { display: none }
summary .text { color: var(--soft); flex: 1; text-align: right }
details[open] > summary { border-bottom: 1px solid var(--line); background: var(--shade); border-radius: 8px 8px 0 0 }
details > div { padding: 4px 14px 16px; scroll-margin-top: 64px }
.method { font: 600 11px/1.6 ui-monospace, monospace; min-width: 52px }
.get { color: var(--get) }
.post { color: var(--post) }
.patch { color: var(--patch) }
.delete { color: var(--delete) }
table { width: 100%; border-collapse: collapse; font-size: 13px }
td { padding: 5px 12px 5px 0; border-top: 1px solid var(--line); vertical-align: top }
tr:first-child td { border-top: 0 }
td:first-child { width: 30% }
td.type { width: 24%; color: var(--soft) }
.must { color: var(--delete); font-size: 11px; margin-left: 6px }
@media (max-width: 800px) {
  body { display: block }
  nav { position: static; height: auto; border-right: 0; border-bottom: 1px solid var(--line) }
  nav summary { display: block; padding: 6px 0 }
  main { padding: 24px 16px }
  summary { flex-wrap: wrap }
  summary .text { text-align: left; flex-basis: 100% }
}
`
