import { getNamedType, isInputObjectType, type GraphQLInputObjectType } from 'graphql'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { isWebAddress, parseWebAddress } from '../../src/platform/input.js'
import { schemaShape } from '../../src/app/schema.js'
import { startConversationFixture, type ConversationFixture } from '../conversations/conversation-fixture.js'
import { refusal } from '../support/refusal.js'

// What is stored as an address becomes a link, an image or a frame in somebody's browser.
let fixture: ConversationFixture
beforeAll(async () => {
  fixture = await startConversationFixture()
})
afterAll(() => fixture.close())

const HOSTILE = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  '\u0001javascript:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  'java\r\nscript:alert(1)',
  'javascript:1/alert(1)',
  'javascript:443/..;alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:https://x/y',
  'https://a\tb.example',
  '\u00a0javascript:alert(1)',
  '\ufeffjavascript:alert(1)',
  'https:\u0000//x.example',
  'about:blank',
  'ws://x.example',
]

describe('the reader of web addresses', () => {
  it.each(HOSTILE)('refuses %j', (address) => {
    expect(refusal(() => parseWebAddress(address, 'url')).field).toBe('url')
  })

  it.each([
    'https://example.org',
    'HTTP://example.org/a?b=c:d#e:f',
    'www.example.org',
    'example.org:8080/a',
    '/a/b:c',
    'a/b?c=d:e',
    '//cdn.example/x',
    'bücher.example',
    '',
  ])('takes %j', (address) => {
    expect([parseWebAddress(` ${address} `, 'url'), isWebAddress(address)]).toEqual([address, true])
  })

  it('only returns http and https addresses to a browser, for any input', () => {
    const alphabet = ['j', 'a', ':', '/', '.', '1', '\t', '#', '?', '\\', 'x', '@', ' ']
    let taken = 0
    for (let seed = 1; seed < 40_000; seed++) {
      let text = ''
      for (let rest = seed * 7_919; rest > 0; rest = Math.floor(rest / alphabet.length))
        text += alphabet[rest % alphabet.length]
      if (!isWebAddress(text.trim())) continue
      taken++
      const url = URL.canParse(text.trim(), 'https://console.example/a/')
        ? new URL(text.trim(), 'https://console.example/a/')
        : null
      // A host with its port is read as a scheme that no browser knows: `a.j:1`.
      expect([text, url === null || /^https?:$|\./.test(url.protocol)]).toEqual([text, true])
    }
    expect(taken).toBeGreaterThan(1_000)
  })
})

describe('every field that holds an address', () => {
  /** Mutations by the input that they take, with what they need besides the address. */
  const MAILBOX = { address: 'a@example.com', host: 'imap.example.com', user: 'a', clientId: 'c', clientSecret: 's' }
  const INPUTS: Record<string, (value: unknown) => Promise<{ code?: string }>> = {
    'CreateOrganizationInput.url': (url) => create('createOrganization', 'CreateOrganizationInput', { name: 'A', url }),
    'CreateOrganizationInput.logo': (logo) =>
      create('createOrganization', 'CreateOrganizationInput', { name: 'A', logo }),
    'UpdateOrganizationInput.url': (url) =>
      change('updateOrganization', 'UpdateOrganizationInput', fixture.organization.id, { url }),
    'UpdateOrganizationInput.logo': (logo) =>
      change('updateOrganization', 'UpdateOrganizationInput', fixture.organization.id, { logo }),
    'CreateUserInput.avatar': (avatar) => create('createUser', 'CreateUserInput', { email: 'x@example.com', avatar }),
    'UpdateUserInput.avatar': (avatar) => change('updateUser', 'UpdateUserInput', 'me', { avatar }),
    'CreateLocationInput.url': (url) => create('createLocation', 'CreateLocationInput', { name: 'A', url }),
    'UpdateLocationInput.url': (url) => changeOf('Location', { name: 'A' }, { url }),
    'CreateFileInput.url': (url) => create('createFile', 'CreateFileInput', { name: 'A', url }),
    'UpdateFileInput.url': (url) => changeOf('File', { name: 'A', url: 'https://a.example' }, { url }),
    'ActionInput.uri': (uri) => say({ text: 'x', actions: [{ type: 'LINK', text: 'x', uri }] }),
    'ActionInput.fallback': (fallback) =>
      say({ actions: [{ type: 'WEBVIEW', text: 'x', uri: 'https://x.example', fallback }] }),
    'ActionInput.iconUrl': (iconUrl) => say({ actions: [{ type: 'REPLY', text: 'x', payload: 'x', iconUrl }] }),
    'ItemInput.mediaUrl': (mediaUrl) => say({ items: [{ title: 'x', mediaUrl }] }),
    'ItemInput.iconUrl': (iconUrl) => say({ items: [{ title: 'x', iconUrl }] }),
    'MessageSourceInput.url': (url) => say({ text: 'x', provenance: { sources: [{ title: 'x', url }] } }),
    'EmailSettingsInput.smtpUrl': (smtpUrl) => serviceWith('email', { smtpUrl }),
    'EmailSettingsInput.smtpTokenUrl': (smtpTokenUrl) => serviceWith('email', { smtpTokenUrl }),
    'MailboxSettingsInput.tokenUrl': (tokenUrl) => serviceWith('mailbox', { ...MAILBOX, tokenUrl }),
    'TelegramSettingsInput.apiUrl': (apiUrl) => serviceWith('telegram', { apiUrl }),
    'InstagramSettingsInput.apiUrl': (apiUrl) => serviceWith('instagram', { apiUrl }),
    'WhatsappSettingsInput.apiUrl': (apiUrl) => serviceWith('whatsapp', { apiUrl }),
    'SmsSettingsInput.apiUrl': (apiUrl) => serviceWith('sms', { apiUrl }),
    'MessengerSettingsInput.apiUrl': (apiUrl) => serviceWith('messenger', { apiUrl }),
    'SamlSettingsInput.signOnUrl': (signOnUrl) => serviceWith('saml', { issuer: 'https://idp.example', signOnUrl }),
    'SamlSettingsInput.metadataUrl': (metadataUrl) => serviceWith('saml', { metadataUrl }),
    'WebhookSettingsInput.url': (url) => serviceWith('webhook', { url }),
  }
  const serviceWith = (type: string, settings: object) =>
    create('createService', 'CreateServiceInput', {
      name: 'A',
      type: type.toUpperCase(),
      settings: { [type]: settings },
    })
  const changeOf = async (type: string, made: object, patch: object) => {
    const { value } = (await create(`create${type}`, `Create${type}Input`, made)) as { value: { id: string } }
    return change(`update${type}`, `Update${type}Input`, value.id, patch)
  }
  const create = (field: string, input: string, value: object) =>
    fixture.run(fixture.admin, `mutation ($input: ${input}!) { ${field}(input: $input) { id } }`, { input: value })
  const change = (field: string, input: string, id: string, patch: object) =>
    fixture.run(fixture.admin, `mutation ($id: ID!, $patch: ${input}!) { ${field}(id: $id, patch: $patch) { id } }`, {
      id,
      patch,
    })
  let conversation: Promise<{ id: string }> | undefined
  const say = async (message: object) =>
    fixture.send(fixture.bot, (await (conversation ??= fixture.create())).id, message)

  it('is in the table, by its name in the schema', async () => {
    const schema = await schemaShape()
    const inputs = Object.values(schema.getTypeMap()).filter((type): type is GraphQLInputObjectType =>
      isInputObjectType(type),
    )
    const named = inputs
      .filter(({ name }) => !/Filter|Order/.test(name))
      .flatMap((type) =>
        Object.values(type.getFields())
          .filter(
            (field) =>
              getNamedType(field.type).name === 'String' &&
              /ur[il]$|logo|avatar|fallback|icon|href|link/i.test(field.name),
          )
          .map((field) => `${type.name}.${field.name}`),
      )
    expect(Object.keys(INPUTS).toSorted()).toEqual(named.toSorted())
  })

  it.each(Object.keys(INPUTS))('refuses in %s anything but a web address', async (field) => {
    for (const address of HOSTILE) {
      expect([address, (await INPUTS[field]!(address)).code]).toEqual([address, 'BAD_USER_INPUT'])
    }
  })

  it('and so do the addresses in metadata: the page of a consumer, of a command, of a conversation', async () => {
    const { id } = await fixture.create({ messages: [{ role: 'CONTACT', text: 'hello' }] })
    const { value: guest } = await fixture.run<{ token: string }>(
      fixture.bot,
      'mutation ($c: ID!) { createGuestToken(conversation: $c) { token } }',
      { c: id },
    )
    const attacks = [
      (url: string) => fixture.send(guest.token, id, { text: 'hi', meta: { title: 'Shop', url } }),
      (url: string) => fixture.send(fixture.bot, id, { role: 'CONTACT', text: 'hi', meta: { url } }),
      (url: string) => fixture.command(fixture.ann, id, '/set', { meta: { url } }),
      (url: string) => fixture.command(fixture.ann, id, '/join', { meta: { url } }),
      (url: string) => change('updateConversation', 'UpdateConversationInput', id, { meta: { url } }),
      (url: string) => fixture.tryCreate({ meta: { url } }),
    ]
    for (const attack of attacks) {
      for (const address of HOSTILE.filter((each) => !each.includes('\0'))) {
        expect([address, (await attack(address)).code]).toEqual([address, 'BAD_USER_INPUT'])
      }
    }
    expect((await fixture.command(fixture.ann, id, '/set url javascript:alert(1)')).code).toBe('BAD_USER_INPUT')
    expect((await fixture.show(id)).meta).toEqual({})
    await fixture.send(guest.token, id, { text: 'hi', meta: { title: 'Shop', url: 'shop.example/boats' } })
    expect((await fixture.show(id)).meta).toEqual({ _title: 'Shop', _url: 'shop.example/boats' })
  })

  it('and a change of a message, which holds the rules of its kind', async () => {
    const { id } = await fixture.create()
    const { value } = await fixture.send(fixture.bot, id, { type: 'CARD', text: 'x', meta: { title: 'x' } })
    for (const meta of [{ url: 'javascript:alert(1)' }, { backgroundColor: 'url(https://x.example)' }]) {
      expect((await change('updateMessage', 'UpdateMessageInput', value.id, { meta })).code).toBe('BAD_USER_INPUT')
    }
  })
})
