import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { SegmentName, SEGMENTS_WITH_PROOF } from '#contract/modifications'
import { getPersonalDetails } from '~/broker/profile.server'
import { Failed } from '~/components/failed'
import { FieldSet, TALL_CHECK } from '~/components/field-frame'
import { ErrorSummary, FieldError, SubmitButton } from '~/components/form'
import { Icon } from '~/components/icon'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { RestoredFormNotice } from '~/components/restored-form-notice'
import { useRoot } from '~/components/use-root'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, readForm, unanswered } from '~/forms/form.server'
import { isRefresh } from '~/http/hard-refresh.server'
import { loadPart } from '~/http/partial-data.server'
import { retryAfter } from '~/http/retry-after.server'
import { readRequestId, requireBroker } from '~/session/session.server'
import { COMMODITY, listActiveSegments } from './active-segments.server'
import { segmentChange } from './change-definitions.server'

export const handle = { title: 'Segments', canRefresh: true }

export const headers = retryAfter

/** The broker accepts one segment at a time. */
const Choice = z.object({
	segment: z
		.array(SegmentName)
		.min(1, 'Select a segment to activate')
		.max(1, 'Activate one segment at a time')
		.transform((chosen) => chosen[0] as SegmentName),
})

const NOTES: Record<SegmentName, string> = {
	Cash: 'Shares, bought and sold for delivery or within the day.',
	'Future & Options': 'Needs Cash and a proof of income. Nine of ten who trade in equity derivatives lose money.',
	'Currency Derivatives': 'Needs Cash and a proof of income, and a declaration for the Reserve Bank in the e-sign.',
	'Mutual fund': 'Units, bought and sold through the exchange.',
	SLBM: 'Lending and borrowing of shares.',
}

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const [profile, { typed, headers }] = await Promise.all([
		loadPart(getPersonalDetails(broker, { hardRefresh: isRefresh(request) }), readRequestId(request)),
		takeRecoveredForm(request, broker.clientCode),
	])
	// Compares names in lower case, because brokers write them in different ways.
	const active = profile.data && listActiveSegments(profile.data.dp_details).map((name) => name.toLowerCase())
	const segments = SegmentName.options.map((name) => ({
		name,
		note: NOTES[name],
		isActive: active?.includes(name.toLowerCase()) ?? false,
		needsProof: SEGMENTS_WITH_PROOF.includes(name),
	}))
	const page = {
		segments,
		// Commodity is not one of the five segments.
		hasCommodity: active?.includes(COMMODITY.toLowerCase()),
		failure: profile.failure,
		typed: typed?.getAll('segment').map(String),
	}
	return data(page, { headers, status: profile.failure?.status ?? 200 })
}

export async function action({ request }: ActionFunctionArgs) {
	const form = await readForm(request)
	return await withFormRecovery(request, form, async () => {
		const broker = await requireBroker(request)
		const submission = parseWithZod(form, { schema: Choice })
		if (submission.status !== 'success') return invalid(submission)
		try {
			return await segmentChange.start(request, broker, submission.value)
		} catch (error) {
			return await unanswered(submission, error)
		}
	})
}

/** While no segment is ticked, the button looks disabled, but it can still be pressed. */
const WAITING =
	'in-[form:not(:has(:checked:enabled))]:[&_.btn-primary]:border-base-300 in-[form:not(:has(:checked:enabled))]:[&_.btn-primary]:bg-base-300 in-[form:not(:has(:checked:enabled))]:[&_.btn-primary]:text-muted in-[form:not(:has(:checked:enabled))]:[&_.btn-primary]:shadow-none'

export default function Segments() {
	const { segments: all, hasCommodity, failure, typed } = useLoaderData<typeof loader>()
	const [form, fields] = useForm<{ segment: string }>({ id: 'segments', lastResult: useActionData<typeof action>()?.result })
	const given: unknown = fields.segment.initialValue
	const chosen = given === undefined ? (typed ?? []) : [given].flat()
	const { id, errors } = fields.segment
	// Offers no segment while the active ones are unknown. An earlier choice stays, so that it can be sent again.
	const segments = failure ? all.filter(({ name }) => chosen.includes(name)) : all
	const first = segments.findIndex(({ isActive }) => !isActive)
	return (
		<>
			<PageTitle title="Segments" />
			{typed && <RestoredFormNotice />}
			<ErrorSummary form={form} fields={[fields.segment]} />
			{failure && <Failed what="Your segments" failure={failure} />}
			{segments.length > 0 && (
				<PostForm id={form.id} noValidate>
					<FieldSet legend="Segments of your account" describedBy={errors ? `${id}-error` : undefined}>
						{segments.map(({ name, note, isActive }, index) => (
							<div key={name} className={TALL_CHECK}>
								<input
									id={index === first ? id : `${id}-${index}`}
									type="checkbox"
									name={isActive ? undefined : 'segment'}
									value={name}
									defaultChecked={isActive || chosen.includes(name)}
									disabled={isActive}
									aria-describedby={`${id}-note-${index}`}
									className={isActive ? 'sr-only' : undefined}
								/>{' '}
								{/* A disabled checked box would be too faint to read, so an icon replaces it. */}
								{isActive && <Icon name="done" className="text-success mt-0.5" />}
								<span>
									<label htmlFor={index === first ? id : `${id}-${index}`}>{name}</label>{' '}
									<span id={`${id}-note-${index}`} className="text-xs text-muted block">
										{isActive ? 'Active' : note}
									</span>
								</span>
							</div>
						))}
						{hasCommodity !== undefined && <Commodity isActive={hasCommodity} />}
						<FieldError id={id} errors={errors} />
					</FieldSet>
					{first >= 0 ? (
						<>
							<p className="prose text-xs">
								A code goes to your mobile number. Where income proof is needed, have it ready for the next step; then you e-sign. Active
								within 3 working days.
							</p>
							<div className={`actions ${WAITING}`}>
								<SubmitButton>Send OTP</SubmitButton>
								<span className="text-muted text-sm in-[form:has(:checked:enabled)]:hidden">Tick a segment</span>
							</div>
						</>
					) : (
						<p>Every segment is active.</p>
					)}
				</PostForm>
			)}
		</>
	)
}

/** The state of the Commodity segment. Pages for commodity link here when it is not active. */
function Commodity({ isActive }: { isActive: boolean }) {
	const [helper] = useRoot().brand.support
	return (
		<div className={TALL_CHECK}>
			<Icon name={isActive ? 'done' : 'over'} className={`mt-0.5 ${isActive ? 'text-success' : 'text-muted'}`} />
			<span>
				Commodity{' '}
				<span className="text-muted block text-xs">
					{isActive ? (
						'Active'
					) : (
						<>
							Not active. It cannot be added here
							{helper && (
								<>
									: ask for it at <a href={helper.href}>{helper.label}</a>
								</>
							)}
						</>
					)}
				</span>
			</span>
		</div>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Segments" />
}
