import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startMailServer, type MailServer } from '../support/mail-server.js'
import { startProviderFixture, type ProviderFixture } from '../touchpoints/provider-fixture.js'
import { startProvider, type Provider, type ProviderReply, type ProviderRequest } from '../touchpoints/provider.js'
import { APP, startGraph, type Graph } from '../touchpoints/messenger/graph.js'
import { ACCOUNT, startTwilio, type Twilio } from '../touchpoints/sms/twilio.js'

interface Tested {
  ok?: boolean
  message?: string
  code?: string
  field?: string
}

describe('testService', () => {
  let fixture: ProviderFixture
  let mail: MailServer
  let twilio: Twilio
  let graph: Graph
  let receiver: Provider
  let answer: (request: ProviderRequest) => ProviderReply

  beforeAll(async () => {
    mail = await startMailServer()
    fixture = await startProviderFixture({ SMTP_URL: mail.url, MAIL_FROM: 'desk@harbour.example' })
    twilio = await startTwilio()
    graph = await startGraph()
    receiver = await startProvider((request) => answer(request))
  })
  afterAll(async () => {
    await fixture.app.close()
    for (const each of [mail, twilio, graph, receiver]) await each.close()
  })

  async function test(service: string, to?: string, as = fixture.admin): Promise<Tested> {
    const { data, errors } = await fixture.app.gql(
      as,
      'mutation ($service: ID!, $to: String) { testService(service: $service, to: $to) { ok message durationMs } }',
      { service, to },
    )
    if (!errors) return data.testService
    const { code, field } = errors[0]!.extensions as { code: string; field?: string }
    return { code, field }
  }

  it("of type sms queries the account, sends a text to a number, and reports the provider's refusal", async () => {
    const params = { ...ACCOUNT, from: '+3197010253', apiUrl: twilio.url }
    const good = await fixture.makeService('sms', params)
    expect(await test(good)).toMatchObject({
      ok: true,
      message: 'the provider knows the account "Harbour"; it is active',
    })
    expect(twilio.texts).toEqual([])
    expect(await test(good, '+31612340001')).toMatchObject({ ok: true })
    expect(twilio.texts).toMatchObject([{ To: '+31612340001', From: '+3197010253' }])
    expect(await test(good, 'my telephone')).toEqual({ code: 'BAD_USER_INPUT', field: 'to' })
    const wrong = await fixture.makeService('sms', { ...params, authToken: 'not-the-token' })
    expect(await test(wrong)).toMatchObject({ ok: false, message: 'the provider refused: 20003 Authenticate' })
    const bare = await fixture.makeService('sms', {})
    expect(await test(bare)).toMatchObject({ ok: false, message: 'the service lacks params.accountSid' })
  })

  it('of type email mails to the caller only, from a verified address', async () => {
    const service = await fixture.makeService('email', { address: 'shop@harbour.example' })
    expect(await test(service)).toMatchObject({ ok: false, message: expect.stringContaining('is not verified') })
    const own = await fixture.makeService('email', { address: 'yard@harbour.example', smtpUrl: mail.url })
    expect(await test(own)).toMatchObject({ ok: true })
    expect(mail.mails.map(({ to }) => to)).toEqual([fixture.admin.email])
    expect(await test(own, 'other@example.org')).toEqual({ code: 'BAD_USER_INPUT', field: 'to' })
    expect(mail.mails).toHaveLength(1)
  })

  it('of type messenger queries the page of the token', async () => {
    const good = await fixture.makeService('messenger', { ...APP, apiUrl: graph.url })
    expect(await test(good)).toMatchObject({ ok: true, message: 'the platform knows the page "Harbour"' })
    const other = await fixture.makeService('messenger', { ...APP, pageId: '2', apiUrl: graph.url })
    expect(await test(other)).toMatchObject({ ok: false, message: expect.stringContaining('not of params.pageId 2') })
  })

  it('of type webhook performs the handshake, and shows no secrets that the response repeats', async () => {
    answer = ({ url }) => ({ status: 200, body: url.searchParams.get('challenge')! })
    const hook = await fixture.makeService('webhook', {
      url: `${receiver.url}/hook`,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    })
    expect(await test(hook)).toMatchObject({ ok: true })
    answer = () => ({ status: 500 })
    expect(await test(hook)).toMatchObject({ ok: false, message: 'the handshake failed: answered 500' })

    // A provider that says back what it was sent.
    answer = () => ({ status: 400, body: JSON.stringify({ message: `bad token ${ACCOUNT.authToken}` }) })
    const loud = await fixture.makeService('sms', { ...ACCOUNT, apiUrl: receiver.url })
    expect(await test(loud)).toMatchObject({ ok: false, message: 'the provider refused: bad token ********' })
  })

  it('is refused to agents, for other types, and past 30 an hour', async () => {
    const web = await fixture.makeService('web', {})
    expect(await test(web)).toEqual({ code: 'UNPROCESSABLE' })
    const bare = await fixture.makeService('sms', {})
    expect(await test(bare, undefined, fixture.agent)).toEqual({ code: 'FORBIDDEN' })
    for (let count = 0; count < 30; count++) expect(await test(bare)).toMatchObject({ ok: false })
    expect(await test(bare)).toEqual({ code: 'RATE_LIMITED' })
  })
})
