import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { GraphqlPlugin } from './apollo.js'

/**
 * Loads an operator's plugins of Apollo Server, each the default export of a module: the path of a file, or the name of a package.
 * @throws Error naming the one that is none
 */
export async function loadPlugins(names: readonly string[]): Promise<GraphqlPlugin[]> {
  return Promise.all(names.map(loadPlugin))
}

async function loadPlugin(name: string): Promise<GraphqlPlugin> {
  const from = /^[./]/.test(name) ? pathToFileURL(resolve(name)).href : name
  let plugin: unknown
  try {
    ;({ default: plugin } = (await import(from)) as { default?: unknown })
  } catch (cause) {
    throw new Error(`GRAPHQL_PLUGINS: ${name} cannot be loaded: ${(cause as Error).message}`, { cause })
  }
  if (typeof plugin !== 'object' || plugin === null) {
    throw new Error(`GRAPHQL_PLUGINS: the default export of ${name} is no plugin of Apollo Server`)
  }
  return plugin as GraphqlPlugin
}
