import { Banner } from '~/components/banner'
import { Failed, type FailureNotice } from '~/components/failed'
import { SubmitButton } from '~/components/form'
import { PostForm } from '~/components/post-form'
import { Section } from '~/components/section'
import { type SummaryItem, SummaryList } from '~/components/summary-list'
import { Unbroken } from '~/components/unbroken'
import { MtfCost } from './mtf-cost'

type Props = {
	cost: { sentence: string; rows: readonly { days: string; interest: string; fees: string; all: string; rise: string }[]; fall?: string }
	/** What happens when margin or a pledge is missing, unless it is a part of what is signed. */
	sales: readonly { label: string; value: string }[]
	terms: readonly SummaryItem[]
	/** The page of the e-sign that waits. Undefined when the activation is signed, or when this is not known. */
	signAt?: string
	isPending: boolean
	/** Set when the facts failed: then it is unknown what is signed, and whether it can be activated. */
	factsFailure?: FailureNotice
	/** Why it cannot be activated, in the words of the broker, and the page that removes the obstacle. */
	whyNot?: { words: string; link?: { href: string; label: string } }
	formId: string
	idempotencyKey: string
}

const UNSIGNED = 'Your activation awaits your e-sign. Nothing changes until you sign it.'
const PERHAPS_SIGNED = 'Your activation is not complete yet. If you have already signed it, you need not do anything.'

/** An account without margin funding: costs, risks and activation. */
export function MtfTerms({ cost, sales, terms, signAt, isPending, factsFailure, whyNot, formId, idempotencyKey }: Props) {
	return (
		<>
			{isPending && (
				<Banner kind="info">
					<Unbroken text={signAt ? UNSIGNED : PERHAPS_SIGNED} /> {signAt && <a href={signAt}>Sign</a>}
				</Banner>
			)}
			<p className="prose">
				With margin funding the broker pays for a part of the shares you buy. They are yours and pledged to the broker until you sell them
				or repay the loan, and every day costs interest.
			</p>
			<Section title="What it costs">
				<MtfCost {...cost} />
			</Section>
			<Section title="What can happen">
				<ul className="prose list-disc space-y-2 pl-6">
					<li>
						<p>
							You bear the whole loss on the shares.
							{cost.fall && ` If they fall by a tenth, ${cost.fall} of your own money is gone, and the interest comes on top.`}
						</p>
					</li>
					{sales.length === 0 && (
						<li>
							<p>If margin or a pledge is missing, the broker sells your shares: see what you sign.</p>
						</li>
					)}
					{sales.map(({ label, value }) => (
						<li key={label}>
							<p>
								<b>{label}:</b> {value}
							</p>
						</li>
					))}
					<li>
						<p>Interest is charged on weekends and holidays too, for as long as you hold the shares.</p>
					</li>
				</ul>
				<p>
					<a href="/reports/downloads">Which shares can be funded, and your margin on each: the MTF approved list</a>
				</p>
			</Section>
			<Section title="What you sign">
				<SummaryList items={terms} />
				{factsFailure ? (
					<Failed what="Your limit and margin, and whether you can activate it," failure={factsFailure} />
				) : whyNot ? (
					<Banner kind="warning">
						{`${whyNot.words}.`} {whyNot.link && <a href={whyNot.link.href}>{whyNot.link.label}</a>}
					</Banner>
				) : (
					<PostForm id={formId} noValidate reloadDocument idempotencyKey={idempotencyKey}>
						<SubmitButton>Activate MTF</SubmitButton>
						<p className="text-xs text-muted mt-3">
							<Unbroken text="Next you sign with Aadhaar at the e-sign provider: that you have read what it costs and what can happen, and want it." />
							{signAt && ' A new request replaces the one that waits.'}
						</p>
					</PostForm>
				)}
			</Section>
		</>
	)
}
