import { createRequest, Switchboard } from '@switchboard/client'
import { SignInDocument } from '@switchboard/client/documents'
import { CREATE_USER } from './documents.js'

/** @throws Refused when the password is another one, Unreachable */
export async function signIn(serverUrl: string, email: string, password: string): Promise<Switchboard> {
  const { createToken } = await createRequest({ serverUrl, token: null })(SignInDocument, { email, password })
  return new Switchboard({ serverUrl, token: createToken.token })
}

/** Creates a bot, and returns its connection: what stands behind a web widget. */
export async function createBotUser(serverUrl: string, admin: Switchboard, input: object): Promise<Switchboard> {
  const { createUser } = await admin.request(CREATE_USER, { input: { ...input, role: 'BOT' } })
  return new Switchboard({ serverUrl, token: createUser.apiToken! })
}
