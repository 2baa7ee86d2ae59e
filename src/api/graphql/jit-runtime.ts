import { createRequire } from 'node:module'

/** The object that compiled operations call: an `import` would return another one. */
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
 * Fixes promise handling of graphql-jit 0.8. An exception after a promise (in resolving a type or in a getter) was an
 * unhandled rejection that ended the process, and the operation was never answered. And a rejected promise in a list
 * added an element to the list.
 */
export function mendJitRuntime(): void {
  jitRuntime.handleResolverResult = (execution, value, onSuccess, onError) => {
    if (jitRuntime.isPromise(value)) settle(execution, value as PromiseLike<unknown>, onSuccess, onError)
    else onSuccess(value)
  }
  jitRuntime.handleListItemResult = (execution, item, onSuccess, onError) => {
    if (!jitRuntime.isPromise(item)) return onSuccess(item)
    // An error in a list affects its element only.
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
