import { signal, type Signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { newId } from '@switchboard/client'
import type { Office } from '../office.js'

/** What the server takes (2.12, file message). */
export const ACCEPTED = 'image/png,image/gif,image/jpeg,image/webp,application/pdf'

export interface Upload {
  id: string
  name: string
  /** 0 to 1; a file whose upload failed has a fault instead. */
  progress: number
  fault: string | null
  /** The attachment's id, once it is there. */
  attachment: string | null
  again(): void
  cancel(): void
}

export interface Uploads {
  all: Signal<readonly Upload[]>
  add(files: Iterable<File>): void
  /** Those that are there, which are the caller's now. */
  take(): Upload[]
}

/** Files on their way to the server while the message is still being written. */
export function useUploads(office: Office): Uploads {
  const uploads = useMemo(() => createUploads(office), [office])
  useEffect(() => () => uploads.all.peek().forEach(({ cancel }) => cancel()), [uploads])
  return uploads
}

function createUploads(office: Office): Uploads {
  const all = signal<readonly Upload[]>([])
  const set = (id: string, patch: Partial<Upload>): void => {
    all.value = all.peek().map((each) => (each.id === id ? { ...each, ...patch } : each))
  }
  const add = (file: File): void => {
    const id = newId()
    const stop = new AbortController()
    const run = (): void => {
      set(id, { fault: null, progress: 0 })
      upload(office, file, { key: id, signal: stop.signal, progressed: (progress) => set(id, { progress }) }).then(
        (attachment) => set(id, { attachment, progress: 1 }),
        (error: Error) => set(id, { fault: error.message }),
      )
    }
    const cancel = (): void => {
      stop.abort()
      all.value = all.peek().filter((each) => each.id !== id)
    }
    all.value = [...all.peek(), { id, name: file.name, progress: 0, fault: null, attachment: null, again: run, cancel }]
    run()
  }
  return {
    all,
    add: (files) => [...files].forEach(add),
    take() {
      const done = all.peek().filter(({ attachment }) => attachment !== null)
      all.value = all.peek().filter(({ attachment }) => attachment === null)
      return done
    },
  }
}

interface UploadOptions {
  /** Sent again under the same key, it is the same attachment. */
  key: string
  signal: AbortSignal
  progressed(part: number): void
}

/** Uses XMLHttpRequest, since fetch does not report the progress of an upload. @returns the attachment's id */
async function upload(office: Office, file: File, { key, signal: until, progressed }: UploadOptions): Promise<string> {
  const token = await office.session.token({ user: office.user })
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/v2/attachments')
    request.setRequestHeader('authorization', `Bearer ${token}`)
    request.setRequestHeader('idempotency-key', key)
    request.upload.addEventListener('progress', ({ loaded, total }) => progressed(loaded / Math.max(total, 1)))
    request.addEventListener('load', () => {
      const answer = parsed(request.responseText)
      if (request.status === 201 && answer.id) resolve(answer.id)
      else reject(new Error(answer.message ?? `${t().composer.notUploaded} (${request.status})`))
    })
    request.addEventListener('error', () => reject(new Error(t().composer.notUploaded)))
    until.addEventListener('abort', () => request.abort())
    const body = new FormData()
    body.append('file', file)
    request.send(body)
  })
}

function parsed(text: string): { id?: string; message?: string } {
  try {
    return JSON.parse(text) as { id?: string; message?: string }
  } catch {
    return {}
  }
}
