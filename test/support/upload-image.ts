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
