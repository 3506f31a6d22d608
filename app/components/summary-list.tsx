import { type ReactNode } from 'react'

export type SummaryItem = { label: string; value: ReactNode; change?: { href: string; label: string } }

/** A list of answers, each with a link to change it: a page to check before sending, or a record afterwards. */
export function SummaryList({ items }: { items: readonly SummaryItem[] }) {
	return (
		<dl className="answers">
			{items.map(({ label, value, change }) => (
				<div key={label}>
					<dt>{label}</dt>
					<dd>{value}</dd>
					{change && (
						<dd className="change">
							<a href={change.href}>
								Change<span className="sr-only"> {change.label}</span>
							</a>
						</dd>
					)}
				</div>
			))}
		</dl>
	)
}
