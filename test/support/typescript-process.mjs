// Runs a TypeScript file from its sources, in a process of its own: `node typescript-process.mjs src/main.ts`.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import './typescript-loader.js'

await import(pathToFileURL(resolve(process.argv[2])).href)
