import { LoopTurns } from '../../platform/fairness/loop-turns.js'

/** Time that all evaluations together may take in one turn of the event loop. */
const TURN_MS = 1

/** Shares the event loop between running evaluations and everything else: one per process, since there is one event loop. */
export const evaluationTurns = new LoopTurns({ turnMs: TURN_MS })
