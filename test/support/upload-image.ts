import { expect } from '@jest/globals'
import type { MadeUser } from './factories.js'
import type { TestServer } from './test-server.js'

/** A PNG's first bytes are enough to be known by. */
export const PNG = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(100, 7)])

/** Uploads a small image, without credentials for null. @param organization its owner; the user's own when absent */
export function uploadImage(
  app: TestServer,
  token: string | null,
  { name, organization }: { name: string; organization?: string },
): Promise<Response> {
  const body = imageForm(name)
  if (organization) body.append('organization', organization)
  return fetch(`${app.url}/v2/attachments`, {
    method: 'POST',
    body,
    headers: token === null ? {} : { authorization: `Bearer ${token}` },
  })
}

export function imageForm(name: string): FormData {
  const form = new FormData()
  form.append('file', new Blob([PNG], { type: 'image/png' }), name)
  return form
}

/** Uploads an image with these words in it, and in its name. @returns the id of the attachment */
export async function uploadWords(
  app: TestServer,
  as: MadeUser | string,
  words: string,
  name = `${words}.png`,
): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob([PNG, words], { type: 'image/png' }), name)
  const headers = { authorization: `Bearer ${typeof as === 'string' ? as : await app.tokenFor(as)}` }
  const response = await fetch(`${app.url}/v2/attachments`, { method: 'POST', body, headers })
  expect(response.status).toBe(201)
  return ((await response.json()) as { id: string }).id
}
