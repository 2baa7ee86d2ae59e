import { useState } from 'preact/hooks'
import type { TypedDocument } from '@switchboard/client'
import { useStore } from '../store/console-store.js'
import { useQuery, type Answer, type RecordKind } from './use-query.js'

interface Connection<Node> {
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
  edges: readonly { node: Node }[]
}

export interface Pages<Data, Node> extends Answer<Data> {
  rows: readonly Node[]
  /** Loads the next page; absent when there is none. */
  more: (() => void) | undefined
}

/** A list by pages: the first is asked again while it is shown, the others are as they were when they were loaded. */
export function usePages<Data, Node>(
  document: TypedDocument<Data, { after?: string | null }>,
  connectionOf: (data: Data) => Connection<Node>,
  kind: RecordKind | null,
): Pages<Data, Node> {
  const store = useStore()
  const first = useQuery<Data, { after?: string | null }>(document, { after: null }, kind)
  const [others, setOthers] = useState<readonly Connection<Node>[]>([])
  const all = first.data ? [connectionOf(first.data), ...others] : []
  const last = all.at(-1)?.pageInfo
  const more = (): void => {
    store.request(document, { after: last!.endCursor }).then(
      (data) => setOthers((loaded) => [...loaded, connectionOf(data)]),
      () => first.refresh(),
    )
  }
  const refresh = (): void => {
    setOthers([])
    first.refresh()
  }
  const rows = all.flatMap(({ edges }) => edges.map(({ node }) => node))
  return { ...first, refresh, rows, more: last?.hasNextPage ? more : undefined }
}
