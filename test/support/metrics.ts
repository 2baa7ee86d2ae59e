/**
 * The value of one sample of a node's metrics.
 * @param sample its name with its labels, without the prefix: `share_wait_seconds_count{share="reads"}`
 * @param token METRICS_TOKEN, where the node is not a local one
 * @throws Error when there is none
 */
export async function sampleOf(url: string, sample: string, token?: string): Promise<number> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/metrics`, { headers })
  const text = await response.text()
  const line = text.split('\n').find((each) => each.startsWith(`switchboard_${sample} `))
  if (!line) throw new Error(`no metric ${sample}: ${response.status}`)
  return Number(line.slice(line.lastIndexOf(' ')))
}
