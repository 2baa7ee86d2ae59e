import { newId } from '@switchboard/client/ids'
import { Refused } from '../talk/request.js'
import type { Talk } from '../talk/talk.js'

/** Uploads a file, then says it. @throws when it is refused, or the connection is lost on the way */
export async function upload(talk: Talk, file: File, progress: (percent: number) => void): Promise<void> {
  const key = newId()
  const { id } = await talk.asGuest(({ token }) =>
    post(`${talk.server}/v2/attachments`, { token, key, file, progress }),
  )
  talk.say({ meta: { fileId: id, fileName: file.name } })
}

interface Upload {
  token: string
  /** The same upload, should it be sent twice. */
  key: string
  file: File
  progress: (percent: number) => void
}

/** Uses XMLHttpRequest, since `fetch` does not report the progress. */
function post(url: string, { token, key, file, progress }: Upload): Promise<{ id: string }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', url)
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('idempotency-key', key)
    request.responseType = 'json'
    request.upload.addEventListener('progress', ({ loaded, total }) => progress(Math.round((100 * loaded) / total)))
    request.addEventListener('error', () => reject(new Error('')))
    request.addEventListener('load', () => {
      const { status, response } = request as {
        status: number
        response: { id: string; message: string; code: string }
      }
      if (status < 300) resolve(response)
      else reject(new Refused(response?.message ?? '', response?.code ?? 'UNAVAILABLE'))
    })
    const body = new FormData()
    body.append('file', file)
    request.send(body)
  })
}
