import { Section } from '~/components/section'

/**
 * How a mandate works and for how long; the page says above the form what it allows. `isListed`: the broker lists the mandates, so the
 * client can cancel one here.
 */
export function MandateTerms({ isListed }: { isListed: boolean }) {
	return (
		<Section title="How it works">
			<p className="text-sm">
				Your bank tells you a day before each debit.{' '}
				{isListed
					? 'It lasts until the date shown in Mandates, or until you cancel it here.'
					: 'It lasts as long as your bank allows, unless you cancel it.'}
			</p>
		</Section>
	)
}
