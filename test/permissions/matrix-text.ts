import type { Case } from './cases.js'
import type { Finding } from './run-cases.js'
import { allows, isInTable, SCOPES, type Line } from './section-5.js'
import { CALLERS, PLACES } from './world.js'

/** The result as a file for people, the same for the same schema, routes and samples. */
export function matrixText(cases: readonly Case[], findings: readonly Finding[]): string {
  const leaks = findings.filter(({ kind }) => kind === 'leak').length
  const targets = Map.groupBy(cases, ({ target }) => target)
  const ids = new Set(cases.map(({ target, sample: { how }, slot }) => `${target} ${how} ${slot}`)).size
  return `# Permission matrix

Made by \`npm run matrix\`, held current by \`npm test -- test/permissions\`. Every query, mutation, subscription and \`/v2\`
route, asked by every caller, with a record of each place in every argument and filter that takes an id. What is allowed
is section 5 of the interface specification, kept as data in [section-5.ts](section-5.ts) apart from the product's own
table; an operation without a sample fails the test by name.

| | |
|---|---|
| Cases run | ${cases.length} |
| Leaks | ${leaks} |
| Other wrong answers | ${findings.length - leaks} |
| Operations and routes | ${targets.size} |
| Places for ids, with whole samples | ${ids} |
| Callers | ${CALLERS.join(', ')}; \`center\` where level 1 is needed |
| Places, seen from the callers | ${PLACES.join(', ')} |

A leak is: a text or id of an organization out of the caller's sight in an answer or event; a row of such an organization
changed, or written anew by someone else; an operation done that the table denies. Out of sight are the organizations
above (\`parent\`), beside (\`sibling\`) and elsewhere (\`foreign\`): their records are *not found*. The consumer has a guest
token for one conversation.

What organizations above share with those below, by the specification: their ids in \`path\` (2.4), their workflows for
the conversations below (3.4, 4.3) and so the names of those rules in a routing trace; and by its id, in a conversation
below, a user of theirs may take part (4.8), a channel of theirs be notified, a service of theirs send (2.9).

\`+\` allowed, \`-\` refused; *italic*: a line that section 5 does not have, see docs/decisions.

| Operation | Line of the table | ${SCOPES.join(' | ')} | Cases |
|---|---|${SCOPES.map(() => '---').join('|')}|---|
${[...targets].flatMap(([target, own]) => rowsOf(target, own)).join('\n')}
`
}

function rowsOf(target: string, cases: readonly Case[]): string[] {
  return [...Map.groupBy(cases, ({ sample }) => sample.line)].map(
    ([line, own]) =>
      `| ${target} | ${shown(line)} | ${SCOPES.map((scope) => (allows(line, scope) ? '+' : '-')).join(' | ')} | ${own.length} |`,
  )
}

const shown = (line: Line): string => (isInTable(line) ? line : `*${line}*`)
