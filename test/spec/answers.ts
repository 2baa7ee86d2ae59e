import { expect } from '@jest/globals'
import type { RestAnswer } from '../support/test-server.js'

export const aDate = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
export const anId = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)

/** The body of an answer, which must have the status. */
export async function done(answer: Promise<RestAnswer>, status: number): Promise<RestAnswer['body']> {
  const { status: given, body } = await answer
  expect({ status: given, body }).toEqual({ status, body })
  return body
}
