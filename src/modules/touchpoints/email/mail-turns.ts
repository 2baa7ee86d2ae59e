import { FairQueue } from '../../../platform/fairness/fair-queue.js'
import { shareOf, type Share } from '../../../platform/fairness/share.js'
import type { TouchpointService } from '../adapter.js'

/** The service that a mail is for, and where it comes from. */
export interface MailTurn {
  service: Pick<TouchpointService, 'id' | 'org1' | 'org2'>
  /** Network of whoever handed it over; one name for all mail servers of the installation. */
  network: string
}

/** Returns the account of a mail by which networks take turns first. */
export const networkShare = ({ service, network }: MailTurn): Share => [network, service.org1, service.id]

/**
 * Turns of mails at what takes a processor long: by network first, so that the mails of one, to however many services, are
 * never more before those of others than there are threads; then by contact center, customer and service, so that neither
 * are those to one, from however many networks.
 */
export class MailTurns {
  readonly #ofNetworks: FairQueue
  readonly #ofServices: FairQueue

  /** @param waitingMax mails of one network for one service that wait; further ones are refused */
  constructor(atOnce: number, waitingMax: number) {
    const limits = { perTenant: atOnce, perCaller: atOnce, waitingPerCaller: waitingMax }
    this.#ofNetworks = new FairQueue({ name: 'mails', limits: { ...limits, total: Infinity } })
    this.#ofServices = new FairQueue({ name: 'mails', limits: { ...limits, total: atOnce } })
  }

  /** @throws RateLimited when too many mails wait */
  run<T>(turn: MailTurn, work: () => Promise<T> | T): Promise<T> {
    const { id, org1, org2 } = turn.service
    const share = [...shareOf([org1, org2 ?? undefined], id), turn.network] as const
    return this.#ofNetworks.run(networkShare(turn), () => this.#ofServices.run(share, work))
  }
}
