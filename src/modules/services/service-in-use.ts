/**
 * SQL: whether a service is switched on. One that is failing is: what its provider refuses waits for an administrator, and consumers
 * can write.
 */
export const isServiceInUseSql = (service = ''): string =>
  `${service === '' ? '' : `${service}.`}status in ('active', 'failing')`
