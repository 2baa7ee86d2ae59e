import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Locator, Page } from 'playwright-core'
import type { TestOffice } from './office.js'
import { until } from '../../support/until.js'

/** Makes a service of type `web`. @returns its id */
export async function makeWebService(office: TestOffice, params: object = {}): Promise<string> {
  const answer = await office.gql(
    office.owner,
    'mutation ($input: CreateServiceInput!) { createService(input: $input) { id } }',
    { input: { type: 'web', params: { greeting: 'Ahoy. Ask us anything.', title: 'Harbour Boats', ...params } } },
  )
  if (answer.errors) throw new Error(answer.errors[0]!.message)
  return answer.data.createService.id
}

/** The agents' side of a widget: what stands in the newest conversation, and answers to it. */
export interface AgentView {
  id: string
  texts(): Promise<string[]>
  answer(message: object): Promise<string>
}

/** The conversation that has this text. */
export async function agentViewOf(office: TestOffice, text: string): Promise<AgentView> {
  const find = async (): Promise<string | undefined> => {
    const [row] = await office.server.database.query<{ id: string }>(
      'select conversation_id as id from message where text = $1 limit 1',
      [text],
    )
    return row?.id
  }
  const id = await until(find)
  return {
    id,
    async texts() {
      const rows = await office.server.database.query<{ text: string }>(
        `select text from message where conversation_id = $1 and role = 'contact' order by position`,
        [id],
      )
      return rows.map((row) => row.text)
    },
    async answer(message) {
      const { data, errors } = await office.gql(
        office.ann,
        'mutation ($c: ID!, $m: MessageInput!) { sendMessage(conversation: $c, message: $m) { id } }',
        { c: id, m: { role: 'AGENT', ...message } },
      )
      if (errors) throw new Error(errors[0]!.message)
      return data.sendMessage.id
    },
  }
}

/** A page of somebody else's site, with headers of its own. */
export interface HostSite {
  origin: string
  /** Reports of its policy. */
  reports: string[]
  close(): Promise<void>
}

export async function startHostSite(html: () => string, policy: () => string | null): Promise<HostSite> {
  const reports: string[] = []
  const server: Server = createServer((request, response) => {
    if (request.method === 'POST') {
      request.on('data', (chunk) => reports.push(String(chunk)))
      return void request.on('end', () => response.writeHead(204).end())
    }
    const csp = policy()
    response.setHeader('content-type', 'text/html; charset=utf-8')
    if (csp) response.setHeader('content-security-policy', `${csp}; report-uri /reports`)
    response.end(html())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://localhost:${port}`,
    reports,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

export interface WidgetPage {
  open(): Promise<void>
  say(text: string): Promise<void>
  message: Locator
  log: Locator
}

export function widgetOf(page: Page): WidgetPage {
  const message = page.getByRole('textbox', { name: 'Message', exact: true })
  return {
    message,
    log: page.getByRole('log', { name: 'Messages' }),
    async open() {
      await page.getByRole('button', { name: /^Open chat/ }).click()
      await message.waitFor()
    },
    async say(text) {
      await message.fill(text)
      await page.getByRole('button', { name: 'Send', exact: true }).click()
    },
  }
}
