export default async function globalTeardown() {
  if (process.env.SUITES === 'quick') return
  const { endServices } = await import('./services.ts')
  await endServices()
}
