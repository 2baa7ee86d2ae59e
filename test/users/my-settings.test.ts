import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { startTestServer, type TestServer } from '../support/test-server.js'

describe('updateMySettings', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(() => server.close())

  const PATCH = `mutation ($patch: UserSettingsInput!) {
    updateMySettings(patch: $patch) { settings { audioOnChat notifyOnChat locale cannedResponses } } }`

  it('changes only the given keys, even from two tabs concurrently', async () => {
    const agent = await server.makeUser({ organization: await server.makeOrganization() })
    const patch = (given: object) => server.gql(agent, PATCH, { patch: given })
    await patch({ cannedResponses: ['Hello {{ givenName }}'], locale: 'NL' })
    await Promise.all([patch({ audioOnChat: false }), patch({ notifyOnChat: true })])
    const { data } = await patch({ locale: null })
    expect(data.updateMySettings.settings).toEqual({
      audioOnChat: false,
      notifyOnChat: true,
      locale: 'EN',
      cannedResponses: ['Hello {{ givenName }}'],
    })
    const { errors } = await patch({ timezone: 'Mars' })
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_USER_INPUT', field: 'patch.timezone' })
  })
})
