import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type ReactNode } from 'react'
import { z } from 'zod/v4'
import { Email, Mobile } from '#contract/modifications'
import { getPersonalDetails } from '~/broker/profile.server'
import { BOX } from '~/components/box'
import { Failed } from '~/components/failed'
import { ErrorSummary, Field, LINK, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { RestoredFormNotice, WaitingOtpNotice } from '~/components/restored-form-notice'
import { SummaryList } from '~/components/summary-list'
import { Unbroken } from '~/components/unbroken'
import { CHANGE_PAGES } from '~/forms/change-pages'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { invalid, unanswered, replyWith } from '~/forms/form.server'
import { createTextSchema } from '~/forms/typed-fields.server'
import { loadSidePart } from '~/http/partial-data.server'
import { trimMobile } from '~/lib/mobile-number'
import { maskEmail, maskMobile } from '~/lib/masks'
import { requireBroker } from '~/session/session.server'
import { emailChange, mobileChange } from './change-definitions.server'
import { Step, StepCard, FORM_WIDTH } from './step-card'
import { FoldedForm } from './folded-form'
import { WaitingChanges } from './waiting-changes'
import { listWaitingChanges } from './waiting-changes.server'

/* One page at two addresses: a new mobile number and a new e-mail. */

export const handle = { title: (loaded?: { title?: string }) => loaded?.title ?? 'My Account' }

/** `98765 43210`, `+91-9876543210` and `09876543210` are the same number. */
const MobileTyped = z
	.string('Enter your new mobile number')
	.transform((typed) => typed.replace(/[\s()-]/g, '').replace(/^(\+?91|0)(?=\d{10}$)/, ''))
	.pipe(createTextSchema(Mobile, 'Enter a 10-digit mobile number, like 98765 43210'))

const EmailTyped = z
	.string('Enter your new e-mail address')
	.trim()
	.pipe(createTextSchema(Email, 'Enter an e-mail address in the correct format, like name@example.com'))

const CONTACTS = {
	mobile: {
		change: mobileChange,
		schema: z.object({ input: MobileTyped }),
		mask: maskMobile,
		trim: trimMobile,
		same: 'Enter a different mobile number',
	},
	email: {
		change: emailChange,
		schema: z.object({ input: EmailTyped }),
		mask: maskEmail,
		trim: (email: string) => email.trim().toLowerCase(),
		same: 'Enter a different e-mail address',
	},
} as const

function readKind(request: Request): keyof typeof CONTACTS {
	return new URL(request.url).pathname.startsWith('/myaccount/email') ? 'email' : 'mobile'
}

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const kind = readKind(request)
	const { change, mask } = CONTACTS[kind]
	const [profile, waiting, { typed, headers }, pending] = await Promise.all([
		loadSidePart(broker, getPersonalDetails(broker)),
		listWaitingChanges(broker, kind),
		takeRecoveredForm(request, broker.clientCode),
		change.findPending(request, broker),
	])
	const recovered = typed?.get('input')?.toString()
	const now = profile.data?.personal_details[kind]
	return data(
		{
			kind,
			title: change.title,
			now: now ? mask(now) : undefined,
			failure: profile.failure,
			waiting,
			typed: recovered ?? pending?.input,
			isRecovered: recovered !== undefined,
			otpAt: pending && recovered === undefined ? `${change.path}/otp` : undefined,
		},
		{ headers },
	)
}

export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, async (form, broker) => {
		const kind = readKind(request)
		const { change, schema, trim, same } = CONTACTS[kind]
		const submission = parseWithZod(form, { schema })
		if (submission.status !== 'success') return invalid(submission)
		const profile = await loadSidePart(broker, getPersonalDetails(broker))
		if (trim(profile.data?.personal_details[kind] ?? '') === trim(submission.value.input))
			return data({ result: replyWith(submission, { fieldErrors: { input: [same] } }) }, { status: 400 })
		return await change.start(request, broker, submission.value).catch((error: unknown) => unanswered(submission, error))
	})
}

export default function Contact() {
	const { kind, title, now, failure, waiting, typed, isRecovered, otpAt } = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	const [form, fields] = useForm<{ input: string }>({
		id: kind,
		lastResult: answered?.result,
		defaultValue: { input: typed },
	})
	const input =
		kind === 'mobile'
			? ({
					label: 'New mobile number',
					help: '10 digits, like 98765 43210. With or without +91',
					type: 'tel',
					autoComplete: 'tel',
					width: 16,
				} as const)
			: ({
					label: 'New e-mail',
					help: 'Like name@example.com',
					type: 'email',
					autoComplete: 'email',
					width: 24,
					spellCheck: false,
				} as const)
	const place = kind === 'mobile' ? 'number' : 'address'
	const change = (
		<PostForm id={form.id} noValidate>
			<Field field={fields.input} {...input} required />
			<p className="text-sm">
				<Unbroken text={`We send an OTP to the new ${place}. You then e-sign. We also send a message to your old ${place}.`} />
			</p>
			<div className="actions">
				<SubmitButton>Send OTP</SubmitButton>
				<a href="/myaccount">Cancel</a>
			</div>
		</PostForm>
	)
	return (
		<>
			<PageTitle title={title} />
			{isRecovered && <RestoredFormNotice />}
			{otpAt && <WaitingOtpNotice href={otpAt} />}
			<ErrorSummary form={form} fields={[fields.input]} />
			<div className={FORM_WIDTH}>
				{failure && <Failed what={kind === 'mobile' ? 'Your current mobile number' : 'Your current e-mail'} failure={failure} />}
			</div>
			{waiting.length > 0 ? (
				<Waiting isOpen={answered !== undefined || typed !== undefined}>{change}</Waiting>
			) : (
				<StepCard step={1} change={kind}>
					{now && <SummaryList items={[{ label: `Current ${CHANGE_PAGES[kind].subject}`, value: now }]} />}
					{change}
				</StepCard>
			)}
		</>
	)
}

/** What is registered, what it becomes, the signature that it lacks, and the folded form for another request. */
function Waiting({ isOpen, children }: { isOpen: boolean; children: ReactNode }) {
	const { kind, now, waiting } = useLoaderData<typeof loader>()
	const becomes = waiting.find(({ value }) => value)?.value
	const { subject } = CHANGE_PAGES[kind]
	const items = [
		...(now ? [{ label: `Current ${subject}`, value: now }] : []),
		...(becomes ? [{ label: `New ${subject}`, value: becomes }] : []),
	]
	return (
		<section className={`${BOX} ${FORM_WIDTH}`} aria-label="Awaiting your e-sign">
			{items.length > 0 && <SummaryList items={items} />}
			<WaitingChanges changes={waiting} isMain />
			<FoldedForm
				label={
					<span>
						<span className={LINK}>{kind === 'mobile' ? 'Change to another number' : 'Change to another address'}</span>{' '}
						<span className="text-muted block text-xs">This replaces the request above.</span>
					</span>
				}
				isOpen={isOpen}
				look="-mb-2 flex min-h-10 cursor-pointer items-center"
			>
				<div className="pt-4">
					<Step step={1} change={kind} />
					{children}
				</div>
			</FoldedForm>
		</section>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="My Account" />
}
