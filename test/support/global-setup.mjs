import './typescript-loader.js'

export default async function globalSetup() {
  if (process.env.SUITES === 'quick') return
  const { startServices } = await import('./services.ts')
  await startServices()
}
