import { describe, expect, it } from '@jest/globals'
import { Metrics } from '../../src/platform/metrics.js'

describe('switchboard_tenant_wait_seconds', () => {
  it('shows the longest waits of ten tenants, however many there are', async () => {
    const metrics = new Metrics()
    const note = metrics.waitsOf('writes')
    for (let tenant = 1; tenant <= 2_000; tenant++) note(tenant, `tenant-${tenant}`)
    note(5, 'tenant-2000')
    metrics.waitsOf('reads')(7, 'tenant-1')
    const lines = (await metrics.text())
      .split('\n')
      .filter((line) => line.startsWith('switchboard_tenant_wait_seconds{'))
    expect(lines).toHaveLength(11)
    expect(lines).toContain('switchboard_tenant_wait_seconds{share="writes",tenant="tenant-2000"} 2')
    expect(lines).toContain('switchboard_tenant_wait_seconds{share="reads",tenant="tenant-1"} 0.007')
  })
})
