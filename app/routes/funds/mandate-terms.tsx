import { Section } from '~/components/section'

/** What a mandate allows and for how long. `isListed`: the broker lists the mandates, so the client can cancel one here. */
export function MandateTerms({ isListed }: { isListed: boolean }) {
	return (
		<Section title="What it allows">
			<p className="mb-2 text-sm">
				A mandate lets us take what you owe from your bank when it is due, never more than the amount at once. Your bank tells you a day
				before each debit.
			</p>
			<p className="text-sm">
				{isListed
					? 'It lasts until the day in the list of mandates, or until you cancel it here.'
					: 'It lasts as long as your bank allows, unless you cancel it.'}
			</p>
		</Section>
	)
}
