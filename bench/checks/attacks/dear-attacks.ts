import { ask, post, type Attack, type Attacker, under } from './attacker.js'

/** Attacks by single requests of one account that cost much. */
export const DEAR_ATTACKS = {
  wide: { workers: 10, turn: writeWideMeta },
  trials: { workers: 13, turn: tryRules },
  replays: { workers: 40, turn: replay },
  reports: { workers: 20, turn: report },
  receivers: { workers: 4, turn: sendToReceivers },
} satisfies Record<string, Attack>

const WIDE = `{${Array.from({ length: 60_000 }, (_, at) => `"key${at}":${at}`).join()}}`
const CREATE = 'mutation ($input: CreateContactInput!) { createContact(input: $input) { id } }'
const WIDE_BODY = `{"query":${JSON.stringify(CREATE)},"variables":{"input":{"profile":{"name":"C"},"meta":${WIDE}}}}`

function writeWideMeta({ url, admin }: Attacker): Promise<string> {
  return post(url, admin, WIDE_BODY)
}

const RULES = Array.from({ length: 20 }, (_, index) => ({
  conditions: { any: [{ fact: 'message', path: '.text', operator: 'match', value: `(a|aa|a?a){20}${index}$` }] },
  event: { type: 'notify', params: {} },
}))
const FACTS = { message: { text: 'a'.repeat(60_000) } }

function tryRules({ url, admin, workflow }: Attacker): Promise<string> {
  const query = `query ($workflow: ID!, $facts: JSONObject!, $rules: [WorkflowRuleInput!]) {
    explainWorkflow(workflow: $workflow, facts: $facts, rules: $rules) { outcome } }`
  return ask(url, admin, query, { workflow, rules: RULES, facts: FACTS })
}

function replay({ url, admin, workflow }: Attacker): Promise<string> {
  const query = `query ($workflow: ID!, $rules: [WorkflowRuleInput!]!, $since: DateTime!) {
    replayRules(workflow: $workflow, rules: $rules, since: $since) { replayed } }`
  const since = new Date(Date.now() - 6 * 86_400_000).toISOString()
  return ask(url, admin, query, { workflow, rules: RULES, since })
}

export const REPORT_DAYS = 385

function report({ url, admin }: Attacker): Promise<string> {
  const today = Math.floor(Date.now() / 86_400_000)
  const [from, to] = [today - REPORT_DAYS, today].map((day) => new Date(day * 86_400_000).toISOString())
  const query = `query ($from: DateTime!, $to: DateTime!) {
    report(metrics: [CREATED, QUEUED, ACCEPTED], by: [DAY], from: $from, to: $to) { lines { start } } }`
  return ask(url, admin, query, { from, to })
}

/** Each message goes to all receivers, see `hostile-receivers.ts`. */
function sendToReceivers({ url, listenedTo: { token, conversations } }: Attacker): Promise<string> {
  const query = 'mutation ($c: ID!) { sendMessage(conversation: $c, message: { role: AGENT, text: "hello" }) { id } }'
  return ask(url, token, query, { c: conversations[++under.count % conversations.length] })
}
