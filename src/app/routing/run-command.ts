import { readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { isPlainObject } from '../../platform/json.js'
import { showPlan, type ShownPlan } from './show-plan.js'

const USAGE = `usage: npm run routing -- export [FILE] | plan FILE [--check] [--out PLAN] | apply FILE [--plan PLAN] [--comment TEXT]
  export   writes the routing of an organization, to FILE or to the output
  plan     shows what FILE would change; with --check it exits with 2 if that is anything, with --out it keeps the plan
  apply    makes these changes; with --plan only in the state of that plan
  --organization ID  another organization than the administrator's
The server is SWITCHBOARD_URL. SWITCHBOARD_EMAIL and SWITCHBOARD_PASSWORD are an administrator's, or SWITCHBOARD_TOKEN is the token of
a sign-in.`

/** Exit code of `plan --check` with changes. */
const CHANGES = 2

interface Outcome {
  output: string
  code: number
}

/** Runs a command of `npm run routing` over `/v2`. @throws Error with what to tell the user */
export async function runRoutingCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const { values, positionals } = readArgs(args)
  const [command, file, ...more] = positionals
  if (more.length > 0 || !isCommand(command) || (file === undefined && command !== 'export')) throw new Error(USAGE)
  const { SWITCHBOARD_URL: url } = env
  if (!url) throw new Error(`SWITCHBOARD_URL is needed\n${USAGE}`)
  if (!URL.canParse(url)) throw new Error(`SWITCHBOARD_URL is no address: ${url}`)
  const { organization, comment } = values
  const call = await signIn(url, env)

  if (command === 'export') {
    const query = organization === undefined ? '' : `?organization=${encodeURIComponent(organization)}`
    const text = await (await call('GET', `/v2/routing${query}`)).text()
    if (file === undefined) return { output: text, code: 0 }
    await writeFile(file, text)
    return { output: `written to ${file}`, code: 0 }
  }

  const document = await readFile(file!, 'utf8')
  const of = { document, ...(organization !== undefined && { organization }) }
  if (command === 'plan') {
    const plan = await planIn(await call('POST', '/v2/routing/plan', of))
    if (values.out !== undefined) await writeFile(values.out, `${JSON.stringify(plan)}\n`)
    return { output: showPlan(plan), code: values.check && plan.changes.length > 0 ? CHANGES : 0 }
  }
  const planned = await (values.plan === undefined
    ? call('POST', '/v2/routing/plan', of).then(planIn)
    : readFile(values.plan, 'utf8').then((text) => planOf(text, `${values.plan} is no plan: plan --out writes one`)))
  const { digest } = planned
  const body = { ...of, digest, ...(comment !== undefined && { comment }) }
  const applied = await planIn(await call('PUT', '/v2/routing', body))
  return { output: showPlan(applied, 'Applied'), code: 0 }
}

const COMMANDS = ['export', 'plan', 'apply'] as const
type Command = (typeof COMMANDS)[number]
const isCommand = (text: string | undefined): text is Command => COMMANDS.includes(text as Command)

function readArgs(args: readonly string[]) {
  const text = { type: 'string' } as const
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { check: { type: 'boolean' }, out: text, plan: text, comment: text, organization: text },
    })
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error })
  }
}

/** @throws Error with `otherwise` for what is no plan */
function planOf(text: string, otherwise: string): ShownPlan {
  try {
    const plan: unknown = JSON.parse(text)
    if (isPlainObject(plan) && typeof plan.digest === 'string' && Array.isArray(plan.changes))
      return plan as unknown as ShownPlan
  } catch {
    // Said below.
  }
  throw new Error(otherwise)
}

const planIn = async (response: Response): Promise<ShownPlan> =>
  planOf(await response.text(), `${response.url} does not answer as a server does: is SWITCHBOARD_URL its address?`)

/** Calls as an administrator: an API token is a bot's, which may not change routing. @throws Error */
async function signIn(url: string, env: NodeJS.ProcessEnv): Promise<Call> {
  const { SWITCHBOARD_TOKEN: given, SWITCHBOARD_EMAIL: email, SWITCHBOARD_PASSWORD: password } = env
  if (given) return caller(url, given)
  if (!email || !password)
    throw new Error(`SWITCHBOARD_EMAIL and SWITCHBOARD_PASSWORD are needed, or SWITCHBOARD_TOKEN\n${USAGE}`)
  const response = await caller(url, null)('POST', '/v2/auth/token', { email, password })
  const { token } = (await response.json()) as { token: string }
  return caller(url, token)
}

type Call = (method: string, path: string, body?: object) => Promise<Response>

/** Calls the server, with a token if there is one. @throws Error with the server's message, a line for each mistake of a document */
function caller(url: string, token: string | null): Call {
  return async (method, path, body) => {
    const response = await fetch(`${url.replace(/\/+$/, '')}${path}`, {
      method,
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      throw new Error(`${url} does not answer: ${error.message}`, { cause: error })
    })
    if (response.ok) return response
    const text = await response.text()
    throw new Error(messageOf(text) ?? `${url} answered with ${response.status}: ${text.slice(0, 500)}`)
  }
}

function messageOf(text: string): string | null {
  try {
    const { message, problems } = JSON.parse(text) as Refusal
    const lines = problems?.map((each) => `line ${each.line}, column ${each.column}: ${each.message}`)
    return lines?.join('\n') ?? message ?? null
  } catch {
    return null
  }
}

interface Refusal {
  message?: string
  problems?: { line: number; column: number; message: string }[]
}
