import { effect, signal, type Signal } from '@preact/signals'
import { useEffect, useMemo } from 'preact/hooks'
import { newId } from '@switchboard/client'
import type { ConsoleStore } from '../store/console-store.js'

/** Types that the server takes (2.12, file message). */
export const ACCEPTED = 'image/png,image/gif,image/jpeg,image/webp,application/pdf'

export interface Upload {
  id: string
  name: string
  /** In bytes. */
  size: number
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
  areThere(): boolean
  /** Resolves with true once all are there, with false once one of them was removed. */
  come(): Promise<boolean>
  /** Those that are there, which are the caller's now. */
  take(): Upload[]
}

/** Files on their way to the server while the message is still being written. */
export function useUploads(store: ConsoleStore): Uploads {
  const uploads = useMemo(() => createUploads(store), [store])
  useEffect(() => () => uploads.all.peek().forEach(({ cancel }) => cancel()), [uploads])
  return uploads
}

function createUploads(store: ConsoleStore): Uploads {
  const all = signal<readonly Upload[]>([])
  const set = (id: string, patch: Partial<Upload>): void => {
    all.value = all.peek().map((each) => (each.id === id ? { ...each, ...patch } : each))
  }
  const add = (file: File): void => {
    const id = newId()
    const stop = new AbortController()
    const run = (): void => {
      set(id, { fault: null, progress: 0 })
      const options = { key: id, signal: stop.signal, progressed: (progress: number) => set(id, { progress }) }
      const sent = import('./send-file.js').then(({ upload }) => upload(store, file, options))
      sent.then(
        (attachment) => set(id, { attachment, progress: 1 }),
        (error: Error) => set(id, { fault: error.message }),
      )
    }
    const cancel = (): void => {
      stop.abort()
      all.value = all.peek().filter((each) => each.id !== id)
    }
    const { name, size } = file
    all.value = [...all.peek(), { id, name, size, progress: 0, fault: null, attachment: null, again: run, cancel }]
    run()
  }
  const areThere = (): boolean => all.peek().every(({ attachment }) => attachment !== null)
  return {
    all,
    add: (files) => [...files].forEach(add),
    areThere,
    come() {
      const awaited = all.peek().map(({ id }) => id)
      return new Promise((resolve) => {
        const stop = effect(() => {
          const present = new Set(all.value.map(({ id }) => id))
          const isWhole = awaited.every((id) => present.has(id))
          if (isWhole && !areThere()) return
          resolve(isWhole)
          queueMicrotask(() => stop())
        })
      })
    },
    take() {
      const done = all.peek().filter(({ attachment }) => attachment !== null)
      all.value = all.peek().filter(({ attachment }) => attachment === null)
      return done
    },
  }
}
