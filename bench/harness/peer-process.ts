import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import type { Server } from 'node:http'
import { resolve } from 'node:path'
import { cpuMicros, serve } from './processes.js'

export interface StartPeer {
  /** Directory in which it is installed. */
  directory: string
  databaseUrl: string
  appId: string
  masterKey: string
  /** Class whose writes are published to live queries. */
  className: string
}

/** As much of Parse Server as is used here. */
interface ParseServerPackage {
  ParseServer: { startApp(options: object): Promise<{ server: Server }> }
}

/** As many connections to PostgreSQL as the product has by default. */
const POOL_SIZE = 16

/** Parse Server with its LiveQuery server on one port, as `startApp` starts both, in a process of its own. */
serve({
  /** @returns where it listens */
  async start({ directory, databaseUrl, appId, masterKey, className }: StartPeer): Promise<string> {
    // Else it makes a folder for them where the bench runs.
    process.env.PARSE_SERVER_LOGS_FOLDER = 'null'
    const { ParseServer } = createRequire(resolve(directory, 'package.json'))('parse-server') as ParseServerPackage
    const { server } = await ParseServer.startApp({
      appId,
      masterKey,
      databaseURI: databaseUrl,
      // Of an embedded PostgreSQL a socket's path, which the URL has encoded.
      databaseOptions: { host: decodeURIComponent(new URL(databaseUrl).hostname), max: POOL_SIZE },
      host: '127.0.0.1',
      port: 0,
      mountPath: '/parse',
      // Where cloud code would reach it; there is none.
      serverURL: 'http://127.0.0.1/parse',
      verifyServerUrl: false,
      startLiveQueryServer: true,
      liveQuery: { classNames: [className] },
      // The product writes its log.
      silent: true,
    })
    // Connections rest while the product has its turn.
    server.keepAliveTimeout = 0
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },

  async cpu(): Promise<number> {
    return cpuMicros()
  },
})
