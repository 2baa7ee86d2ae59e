import type { Bench } from './bench.js'

/** Sends one operation over HTTP. @throws Error with the answer's errors */
export async function ask<Data>(
  { url }: Pick<Bench, 'url'>,
  token: string,
  query: string,
  variables: object,
): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query, variables }),
  })
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown }
  if (errors) throw new Error(JSON.stringify(errors))
  return data
}
