import { expect, it } from '@jest/globals'
import type { Page } from 'playwright-core'
import { until } from '../support/until.js'
import { signIn } from './support/office.js'
import { describeInBrowser } from './support/in-browser.js'
import { makeWebService, widgetOf } from './support/widget.js'

/** Collects what a page sends as documents, by requests and on sockets. */
function documentsOf(page: Page): string[] {
  const sent: string[] = []
  const add = (body: string): void => void sent.push((JSON.parse(body) as { query: string }).query)
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/graphql') add(request.postData()!)
  })
  page.on('websocket', (socket) =>
    socket.on('framesent', ({ payload }) => {
      const message = JSON.parse(String(payload)) as { type: string; payload?: unknown }
      if (message.type === 'subscribe') add(JSON.stringify(message.payload))
    }),
  )
  return sent
}

describeInBrowser('the documents of the pages', (world) => {
  it('are sent as ids by the console and by the web widget', async () => {
    const id = await world.office.arrive('Brief Bea', 'hello')
    const { page: desk } = await world.open('about:blank')
    const ofConsole = documentsOf(desk)
    await desk.goto(`${world.office.url}/console`)
    await signIn(desk, world.office.ann)
    await desk.goto(`${world.office.url}/console/c/${id}`)
    await desk.getByRole('log').getByText('hello').waitFor()

    const { page: site } = await world.open('about:blank')
    const ofWidget = documentsOf(site)
    await site.goto(`${world.office.url}/widget/demo?service=${await makeWebService(world.office)}`)
    const widget = widgetOf(site)
    await widget.open()
    await widget.say('How long is the pier?')
    await widget.log.getByText('Sent', { exact: false }).waitFor()

    const names = (documents: readonly string[]): (string | undefined)[] =>
      documents.map((each) => /^#(\w+)\.[\w-]{12}$/.exec(each)?.[1])
    await until(() => ['Me', 'Queue', 'Thread'].every((name) => names(ofConsole).includes(name)))
    await until(() => names(ofWidget).length > 1)
    expect([...names(ofConsole), ...names(ofWidget)]).not.toContain(undefined)
  })
})
