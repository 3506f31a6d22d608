import { Facts } from '~/components/facts'
import { Section } from '~/components/section'
import { type NomineeLine } from './nominee-lines.server'

/** The registered nominees: each name with its share, and below it what is known of the person. */
export function NomineeList({ nominees }: { nominees: readonly NomineeLine[] }) {
	return (
		<ul className="divide-line border-line mb-4 divide-y last:mb-0 in-[section]:-mt-2.5 in-[section]:last:-mb-2.5">
			{nominees.map(({ name, share, details }, at) => (
				<li key={at} className="flex items-baseline justify-between gap-x-4 py-2.5">
					<span className="min-w-0 wrap-anywhere">
						<b className="block">{name}</b>{' '}
						<span className="text-muted block text-sm">
							<Facts text={details} />
						</span>
					</span>{' '}
					<span className="figure font-semibold">{share}</span>
				</li>
			))}
		</ul>
	)
}

/** The list beside the form that replaces it: right of the form where there is room, and read before it. */
export function CurrentNominees({ nominees }: { nominees: readonly NomineeLine[] }) {
	return (
		<div className="lg:order-last">
			<Section title="Your nominees">
				<NomineeList nominees={nominees} />
			</Section>
		</div>
	)
}
