import { createRequire } from 'node:module'

/** The very object that compiled operations call: an `import` would give another one. */
const { jitRuntime } = createRequire(import.meta.url)('graphql-jit/dist/runtime.js') as { jitRuntime: JitRuntime }

interface JitRuntime {
  isPromise(value: unknown): boolean
  handleResolverResult(execution: Execution, value: unknown, onSuccess: OnSuccess, onError: OnError): void
  handleListItemResult(execution: Execution, item: unknown, onSuccess: OnSuccess, onError: OnError): void
}

interface Execution {
  promiseCounter: number
  resolve?(execution: Execution): void
}

type OnSuccess = (result: unknown) => void
type OnError = (error: unknown) => void

/**
 * Mends what graphql-jit 0.8 does with promises. An exception in code that runs behind one (a type that cannot be told,
 * a getter that throws) was nobody's: the process ended for an unhandled rejection, and the operation was never
 * answered. And a promise in a list that rejected made the list longer by one.
 */
export function mendJitRuntime(): void {
  jitRuntime.handleResolverResult = (execution, value, onSuccess, onError) => {
    if (jitRuntime.isPromise(value)) settle(execution, value as PromiseLike<unknown>, onSuccess, onError)
    else onSuccess(value)
  }
  jitRuntime.handleListItemResult = (execution, item, onSuccess, onError) => {
    if (!jitRuntime.isPromise(item)) return onSuccess(item)
    // An error in a list is a failure of its place.
    const fail: OnError = (error) => onSuccess(error instanceof Error ? error : new Error(String(error)))
    settle(execution, item as PromiseLike<unknown>, onSuccess, fail, onError)
  }
}

function settle(
  execution: Execution,
  promise: PromiseLike<unknown>,
  onSuccess: OnSuccess,
  onRejected: OnError,
  onFault: OnError = onRejected,
): void {
  execution.promiseCounter += 1
  const after = (act: OnSuccess) => (value: unknown) => {
    try {
      act(value)
    } catch (error) {
      onFault(error)
    } finally {
      execution.promiseCounter -= 1
      if (execution.promiseCounter === 0) execution.resolve?.(execution)
    }
  }
  promise.then(after(onSuccess), after(onRejected))
}
