import { AdminOverviewDocument } from '../../generated/admin.js'
import { Guide, guideLead, guideTitle } from './guide.js'
import { Section } from './section.js'
import { useQuery } from './use-query.js'
import { words } from './words.js'

/** A person's first ten minutes, step by step. */
export function Overview() {
  const answer = useQuery(AdminOverviewDocument, {})
  const { data } = answer
  return (
    <Section
      title={data ? guideTitle(data) : words.sections.overview}
      lead={data ? guideLead(data) : undefined}
      answer={answer}
    >
      {data && <Guide data={data} />}
    </Section>
  )
}
