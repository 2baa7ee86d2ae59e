import { useState } from 'preact/hooks'
import type { TypedDocument } from '@switchboard/client'
import { useQuery } from '../admin/use-query.js'
import { useStore } from '../store/console-store.js'

interface Connection<Node> {
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
  edges: readonly { node: Node }[]
}

/** A list by pages with variables: the first is asked again while it is shown; other variables begin anew. */
export function useAllPages<Data, Variables extends { after?: string | null | undefined }, Node>(
  document: TypedDocument<Data, Variables>,
  variables: NoInfer<Omit<Variables, 'after'>>,
  connectionOf: (data: Data) => Connection<Node>,
) {
  const store = useStore()
  const key = JSON.stringify(variables)
  const first = useQuery(document, { ...variables, after: null } as unknown as Variables)
  const [others, setOthers] = useState<{ of: string; pages: readonly Connection<Node>[] }>({ of: key, pages: [] })
  const [fault, setFault] = useState<Error | null>(null)
  const isOfThese = first.of !== null && JSON.stringify({ ...first.of, after: undefined }) === key
  const own = others.of === key ? others.pages : []
  const pages = first.data && isOfThese ? [connectionOf(first.data), ...own] : null
  const last = pages?.at(-1)?.pageInfo
  const more = (): void => {
    setFault(null)
    store
      .request(document, { ...variables, after: last!.endCursor } as unknown as Variables)
      .then(
        (data) =>
          setOthers((known) => ({ of: key, pages: [...(known.of === key ? known.pages : []), connectionOf(data)] })),
        setFault,
      )
  }
  return {
    /** Null until the first page has come. */
    rows: pages && pages.flatMap(({ edges }) => edges.map(({ node }) => node)),
    more: last?.hasNextPage ? more : undefined,
    error: first.error ?? fault,
    /** The first page, new each time that it has come. */
    data: first.data,
    refresh: first.refresh,
  }
}
