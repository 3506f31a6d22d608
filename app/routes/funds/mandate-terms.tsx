import { Section } from '~/components/section'
import { Unbroken } from '~/components/unbroken'

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
					? 'It lasts until the day in the list below, or until you cancel it here.'
					: 'It lasts as long as your bank allows, unless you cancel it.'}
			</p>
		</Section>
	)
}

/** First on the page, so that nobody creates a second mandate by mistake. */
export function ActiveMandates({ words }: { words: readonly string[] }) {
	return words.map((each, at) => (
		<p key={at} className="mb-4">
			<Unbroken text={each} />
		</p>
	))
}
