import { Failed, type FailureNotice } from '~/components/failed'
import { Section } from '~/components/section'
import { SummaryList } from '~/components/summary-list'

/** The name of that part in a sentence. */
export const FACTS = 'The dates and deadlines of the issue'

type Props = { facts: readonly { label: string; value: string; href?: string }[]; failure?: FailureNotice }

/** The facts of the issue, with its deadlines. */
export function IssueFacts({ facts, failure }: Props) {
	return (
		<div>
			{failure && <Failed what={FACTS} failure={failure} />}
			<Section title="The issue">
				<SummaryList
					items={facts.map(({ label, value, href }) => ({ label, value: href ? <Outside href={href}>{value}</Outside> : value }))}
				/>
			</Section>
		</div>
	)
}

function Outside({ href, children }: { href: string; children: string }) {
	return (
		<a href={href} rel="noopener noreferrer">
			{children}
		</a>
	)
}
