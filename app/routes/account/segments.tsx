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
import { Halves } from '~/components/halves'
import { Icon } from '~/components/icon'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { RestoredFormNotice, WaitingOtpNotice } from '~/components/restored-form-notice'
import { Section } from '~/components/section'
import { Status } from '~/components/status'
import { Unbroken } from '~/components/unbroken'
import { useRoot } from '~/components/use-root'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, unanswered } from '~/forms/form.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPart } from '~/http/partial-data.server'
import { requireBroker } from '~/session/session.server'
import { COMMODITY, listActiveSegments, SEGMENT_ORDER } from './active-segments.server'
import { segmentChange } from './change-definitions.server'
import { ADD_SEGMENT } from './change-steps'
import { StepCard } from './step-card'
import { IncomeProof } from './income-proof'
import { WaitingChanges } from './waiting-changes'
import { listWaitingChanges } from './waiting-changes.server'

export const handle = { title: 'Segments', canRefresh: true }

/** The broker accepts one segment at a time. */
const Choice = z.object({
	segment: z
		.array(z.enum(SegmentName.options, 'Select a segment to activate'))
		.min(1, 'Select a segment to activate')
		.max(1, 'Activate one segment at a time')
		.transform((chosen) => chosen[0] as SegmentName),
})

const NOTES: Record<SegmentName, string> = {
	Cash: 'Shares, bought and sold for delivery or within the day.',
	'Future & Options': 'Needs the Cash segment and proof of income. 9 out of 10 individual traders in equity derivatives lose money.',
	'Currency Derivatives': 'Needs the Cash segment and proof of income. You also e-sign a declaration for the Reserve Bank.',
	'Mutual fund': 'Units, bought and sold through the exchange.',
	SLBM: 'Lending and borrowing of shares.',
}

const ORDERED = new Set(SEGMENT_ORDER.map((name) => name.toLowerCase()))

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const [profile, waiting, { typed, headers }, pending] = await Promise.all([
		loadPart(broker, getPersonalDetails(broker, readRefresh(request))),
		listWaitingChanges(broker, segmentChange.kind),
		takeRecoveredForm(request, broker.clientCode),
		segmentChange.findPending(request, broker),
	])
	// Compares names in lower case, because brokers write them in different ways.
	const listed = profile.data ? [...new Set(listActiveSegments(profile.data.dp_details))] : []
	const active = profile.data && listed.map((name) => name.toLowerCase())
	const segments = SegmentName.options
		.toSorted((a, b) => SEGMENT_ORDER.indexOf(a) - SEGMENT_ORDER.indexOf(b))
		.map((name) => ({
			name,
			note: NOTES[name],
			isActive: active?.includes(name.toLowerCase()) ?? false,
			needsProof: SEGMENTS_WITH_PROOF.includes(name),
		}))
	const page = {
		segments,
		active: [
			...SEGMENT_ORDER.filter((name) => active?.includes(name.toLowerCase())).map((name) => ({ name, hasBox: name !== COMMODITY })),
			// A segment that only the broker has a name for is no choice of the form either.
			...listed.filter((name) => !ORDERED.has(name.toLowerCase())).map((name) => ({ name, hasBox: false })),
		],
		// Commodity is not one of the five segments. Without company codes it is not known.
		hasCommodity: profile.data?.dp_details.company_code === null ? undefined : active?.includes(COMMODITY.toLowerCase()),
		failure: profile.failure,
		waiting,
		typed: typed?.getAll('segment').map(String) ?? (pending ? [pending.segment] : []),
		isRecovered: typed !== undefined,
		otpAt: pending && !typed ? `${segmentChange.path}/otp` : undefined,
	}
	return data(page, { headers, status: profile.failure?.status ?? 200 })
}

export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, async (form, broker) => {
		const submission = parseWithZod(form, { schema: Choice })
		if (submission.status !== 'success') return invalid(submission)
		return await segmentChange.start(request, broker, submission.value).catch((error: unknown) => unanswered(submission, error))
	})
}

export default function Segments() {
	const { segments: all, active, hasCommodity, failure, waiting, typed, isRecovered, otpAt } = useLoaderData<typeof loader>()
	const [form, fields] = useForm<{ segment: string }>({ id: 'segments', lastResult: useActionData<typeof action>()?.result })
	const given: unknown = fields.segment.initialValue
	const chosen = given === undefined ? typed : [given].flat()
	// Offers no segment while the active ones are unknown. An earlier choice stays, so that it can be sent again.
	const segments = failure ? all.filter(({ name }) => chosen.includes(name)) : all
	const others = segments.filter(({ isActive }) => !isActive)
	const hasDerivatives = others.some(({ needsProof }) => needsProof)
	const lacksCommodity = hasCommodity === false
	const isMany = active.length >= MANY_ACTIVE
	return (
		<>
			<PageTitle title="Segments" />
			{isRecovered && <RestoredFormNotice />}
			{otpAt && <WaitingOtpNotice href={otpAt} />}
			<ErrorSummary form={form} fields={[fields.segment]} />
			{failure && <Failed what="Your segments" failure={failure} />}
			<WaitingChanges changes={waiting} />
			<Halves isSecondWider={isMany} isLevel={isMany}>
				{isMany && <ActiveSegments segments={active} />}
				{others.length > 0 ? (
					<StepCard step={1} change="segments" title={ADD_SEGMENT}>
						<PostForm id={form.id} noValidate>
							<div className="-mt-3.5">
								<OtherSegments segments={others} chosen={chosen} field={fields.segment} lacksCommodity={lacksCommodity} />
							</div>
							{hasDerivatives && <IncomeProof />}
							<p className="text-sm">
								<Unbroken
									text={`We send an OTP to your mobile number. The next step asks for it${hasDerivatives ? ' and, for derivatives, for proof of income' : ''}. You then e-sign. The segment is active within 3 working days.`}
								/>
							</p>
							<div className="actions">
								<SubmitButton>Send OTP</SubmitButton>
							</div>
						</PostForm>
					</StepCard>
				) : (
					segments.length > 0 && (
						<Section title={ADD_SEGMENT}>
							{lacksCommodity && <NoCommodity />}
							<p>Every segment is active.</p>
						</Section>
					)
				)}
				{!isMany && active.length > 0 && <ActiveSegments segments={active} />}
			</Halves>
		</>
	)
}

/** With so many segments few are left to add, so the active ones stand first. */
const MANY_ACTIVE = 4

/** Commodity and a segment that we do not know are not among the five segments, so they have no box. */
function ActiveSegments({ segments }: { segments: readonly { name: string; hasBox: boolean }[] }) {
	return (
		<Section title="Your segments">
			<div role="group" aria-label="Active segments" className="divide-line -my-2.5! divide-y">
				{segments.map(({ name, hasBox }) => (
					<div key={name} className="relative flex min-h-11 items-center justify-between gap-4">
						{hasBox ? (
							// A disabled checked box would be too faint to read, so a state replaces it.
							<span>
								<input id={`active-${name}`} type="checkbox" value={name} defaultChecked disabled className="sr-only" />{' '}
								<label htmlFor={`active-${name}`}>{name}</label>
							</span>
						) : (
							name
						)}{' '}
						<span className="text-sm">
							<Status kind="done" words="Active" />
						</span>
					</div>
				))}
			</div>
		</Section>
	)
}

type Others = {
	segments: readonly { name: string; note: string }[]
	chosen: readonly unknown[]
	field: { id: string; errors?: string[] }
	lacksCommodity: boolean
}

/** The segments that the client can add, and Commodity if it is not active. */
function OtherSegments({ segments, chosen, field: { id, errors }, lacksCommodity }: Others) {
	return (
		<FieldSet legend={<span className="sr-only">Segments to add</span>} describedBy={errors ? `${id}-error` : undefined}>
			{segments.map(({ name, note }, index) => (
				<div key={name} className={TALL_CHECK}>
					<input
						id={index === 0 ? id : `${id}-${index}`}
						type="checkbox"
						name="segment"
						value={name}
						defaultChecked={chosen.includes(name)}
						aria-invalid={errors ? true : undefined}
						aria-describedby={`${id}-note-${index}`}
					/>{' '}
					<span>
						<label htmlFor={index === 0 ? id : `${id}-${index}`}>{name}</label>{' '}
						<span id={`${id}-note-${index}`} className="text-xs text-muted block">
							<Unbroken text={note} />
						</span>
					</span>
				</div>
			))}
			{lacksCommodity && <NoCommodity />}
			<FieldError id={id} errors={errors} />
		</FieldSet>
	)
}

/** Pages for commodity link here when it is not active. */
function NoCommodity() {
	const [helper] = useRoot().brand.support
	return (
		<div className={TALL_CHECK}>
			<Icon name="over" className="text-muted mt-0.5" />
			<span>
				Commodity{' '}
				<span className="text-muted block text-xs">
					It cannot be added here
					{helper && (
						<>
							: ask for it at <a href={helper.href}>{helper.label}</a>
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
