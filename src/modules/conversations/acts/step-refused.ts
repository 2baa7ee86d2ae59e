import { nameOf as nameOfKind } from '../../macros/parse-steps.js'
import type { Step } from '../../macros/macro-step.js'
import {
  BadUserInput,
  DomainError,
  NotFound,
  quoteValue,
  Unavailable,
  Unprocessable,
} from '../../../platform/errors.js'

/** A step that could not be done: nothing of the run was. */
export class StepRefused extends DomainError {
  constructor(
    { code, details, message }: DomainError,
    /** Its number, from 1. */
    readonly step: number,
  ) {
    super(code, message, { ...details, step })
  }
}

/**
 * Runs a step. What it names may be gone by now, which a caller knows by its name rather than by an id.
 * @param index from 0
 * @throws StepRefused; Unavailable as it is
 */
export async function atStep(step: Step, index: number, run: () => Promise<unknown>): Promise<void> {
  try {
    await run()
  } catch (error) {
    if (!(error instanceof DomainError) || error instanceof Unavailable) throw error
    throw new StepRefused(inWords(step, index, error), index + 1)
  }
}

function inWords(step: Step, index: number, error: DomainError): DomainError {
  const at = `step ${index + 1}, ${nameOfKind(step.kind)}`
  const isGone = error instanceof NotFound || (error instanceof BadUserInput && error.details.field === 'user')
  if (isGone && 'name' in step && step.name !== '') {
    const details = { reason: 'STEP_GONE', name: step.name } as const
    return new Unprocessable(`${at}: ${quoteValue(step.name)} is gone, or not for this conversation`, details)
  }
  return new DomainError(error.code, `${at}: ${error.message}`, error.details)
}
