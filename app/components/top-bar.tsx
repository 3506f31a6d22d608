import { Form, useLocation, useMatches, useNavigate, useSearchParams, useSubmit } from '@remix-run/react'
import { type MouseEvent, useEffect, useState } from 'react'
import { Avatar } from './avatar'
import { Logo } from './brand'
import { loadChangePassword } from './change-password-later'
import { Icon } from './icon'
import { isPlainClick } from './link-interception'
import { PostForm } from './post-form'
import { ThemeControl } from './theme-control'
import { useAddress } from './use-address'
import { useDefaultValue } from './use-default-value'
import { type Brand } from './use-root'

export type TopBarProps = {
	brand: Brand
	theme: 'light' | 'dark' | 'system'
	client: { name: string; firstName: string; code: string }
	/** `2025-2026`, newest first. */
	years: readonly string[]
	year: string
}

/** The header of a phone is one row. Below 24rem it shows only the brand. */
const ROOMY = 'max-[24rem]:sr-only'

/** Classes of a button. Below 30rem without a script it is smaller: the year has a button too, and the name needs the space. */
const SQUARE = 'max-lg:size-11 max-[30rem]:noscript:size-10'

export function TopBar({ brand, theme, client, years, year }: TopBarProps) {
	const canRefresh = useMatches().some(({ handle }) => (handle as { canRefresh?: boolean } | undefined)?.canRefresh)
	return (
		<header className="border-line bg-base-100 flex flex-wrap items-center gap-x-0.5 max-[30rem]:noscript:gap-x-0 max-[30rem]:noscript:pr-1 max-[30rem]:noscript:pl-0 border-b py-2 pr-2 pl-1 lg:col-span-full lg:h-16 lg:flex-nowrap lg:gap-5 lg:py-0 lg:pr-8 lg:pl-6 print:hidden">
			<a href="/" className="min-w-logo mr-auto hidden flex-none text-inherit lg:block">
				<Logo brand={brand} />
			</a>{' '}
			<button type="button" className={`btn btn-ghost btn-square max-lg:-order-1 lg:hidden ${SQUARE}`} {...{ popovertarget: 'menu' }}>
				<Icon name="menu" />
				<span className="sr-only">Open menu</span>
			</button>
			{canRefresh && <Refresh />}
			<YearChoice years={years} year={year} />
			<ThemeControl theme={theme} className="max-lg:hidden" />
			<div className="min-w-0 flex-[1_1_32px] leading-tight max-lg:-order-1 lg:max-w-56 lg:flex-none lg:text-right">
				<p className={`truncate max-lg:text-[0.875rem] max-[30rem]:noscript:text-xs ${ROOMY}`}>Welcome, {client.firstName}</p>
				<p className="text-xs text-muted max-[24rem]:text-base-content max-[24rem]:text-[1rem] max-[23rem]:noscript:text-xs truncate">
					<span className={ROOMY}>CLIENT</span>
					<span className="lg:hidden">
						<span className={ROOMY}> · </span>
						{brand.name}
					</span>
				</p>
			</div>
			<UserMenu client={client} />
		</header>
	)
}

/** Query parameters that belong to one visit. */
const OF_THIS_VISIT = ['refresh', 'dialog']

/** Asks the broker for fresh figures of this page. */
function Refresh() {
	const { pathname, query } = useAddress()
	const [turns, setTurns] = useState(0)
	return (
		<Form method="get" action={pathname} className="refresh" replace preventScrollReset discover="none">
			<Kept query={query} without={OF_THIS_VISIT} />
			<input type="hidden" name="refresh" value="1" />
			<button type="submit" className={`btn btn-ghost btn-square ${SQUARE}`} onClick={() => setTurns(turns + 1)} title="Refresh">
				<Icon key={turns} name="refresh" className={turns > 0 ? 'animate-[spin_1s_ease-in-out]' : undefined} />
				<span className="sr-only">Refresh</span>
			</button>
		</Form>
	)
}

/** Query parameters that belong to one year and are dropped when the year changes. */
const OF_THIS_YEAR = ['year', 'from', 'to', 'page', ...OF_THIS_VISIT]

/** The query as hidden fields of a form, without the names given. */
function Kept({ query, without }: { query: URLSearchParams; without: readonly string[] }) {
	return [...query].map(([name, value]) => !without.includes(name) && <input key={name + value} type="hidden" name={name} value={value} />)
}

function YearChoice({ years, year }: { years: readonly string[]; year: string }) {
	const { pathname } = useLocation()
	const [query] = useSearchParams()
	const submit = useSubmit()
	// On other pages the year changes nothing, so the field and its button are muted. The field's frame shows only under a pointer or with
	// the focus.
	const isUsed = /^\/($|dashboard|reports|connect\/mtf)/.test(pathname)
	// First, so that a year of another page is not sent as a choice.
	const choice = useDefaultValue<HTMLSelectElement>(year)
	// Sends a choice that was made before the script loaded.
	useEffect(() => {
		if (choice.current && choice.current.value !== year) submit(choice.current.form)
	}, [choice, year, submit])
	return (
		<Form
			method="get"
			action={pathname}
			className="flex items-center gap-1.5 sm:gap-2"
			autoComplete="off"
			preventScrollReset
			discover="none"
		>
			<Kept query={query} without={OF_THIS_YEAR} />
			<label className="sr-only" htmlFor="year">
				Financial year
			</label>{' '}
			<select
				id="year"
				name="year"
				className={`input choice max-sm:bg-[position:calc(100%-11px)_calc(50%+1px),calc(100%-7px)_calc(50%+1px)]! max-lg:h-11 w-34 max-sm:w-28.5 max-sm:pr-4! max-sm:pl-1.75! max-[30rem]:noscript:w-24.5 max-[30rem]:noscript:pl-2! max-[30rem]:noscript:pr-3.5! max-[30rem]:noscript:text-xs! ${isUsed ? '' : 'text-muted not-hover:not-focus:[--input-color:transparent]!'}`}
				defaultValue={year}
				ref={choice}
				onChange={({ target }) => submit(target.form)}
			>
				{years.map((choice) => (
					<option key={choice} value={choice}>
						{choice}
					</option>
				))}
			</select>{' '}
			<noscript>
				<button
					type="submit"
					className={`btn mr-2 max-lg:h-11 max-[30rem]:mr-0.5 max-[22rem]:mr-0 max-sm:px-1 max-sm:text-sm max-[22rem]:px-0.5 ${isUsed ? '' : 'btn-ghost text-muted font-normal'}`}
				>
					Show
				</button>
			</noscript>
		</Form>
	)
}

const ENTRY = 'hover:bg-base-200 block w-full cursor-pointer rounded px-3 py-2.5 text-left text-inherit'

function UserMenu({ client }: { client: TopBarProps['client'] }) {
	const { key } = useLocation()
	const { pathname, query } = useAddress()
	for (const name of OF_THIS_VISIT) query.delete(name)
	query.set('dialog', 'change-password')
	const to = `${pathname}?${query}`
	const navigate = useNavigate()

	/** The page stays usable until the dialog is loaded. When it cannot be loaded, its document is. */
	async function openDialog(event: MouseEvent) {
		if (!isPlainClick(event)) return
		event.preventDefault()
		const { href } = location
		const isLoaded = await loadChangePassword().then(
			() => true,
			() => false,
		)
		// The client may have gone to another page meanwhile.
		if (location.href !== href) return
		if (isLoaded) navigate(to, { preventScrollReset: true })
		else location.assign(to)
	}

	return (
		<>
			<button type="button" className={`btn btn-ghost btn-circle ${SQUARE}`} {...{ popovertarget: 'user-menu' }}>
				<Avatar name={client.name} /> <span className="sr-only">{client.name}</span>
			</button>{' '}
			<div
				id="user-menu"
				className="z-overlay rounded-box border-line bg-base-100 [box-shadow:var(--shadow)] absolute inset-[60px_1rem_auto_auto] m-0 min-w-55 border p-1.5 text-inherit lg:right-8"
				{...{ popover: 'auto' }}
				key={key}
			>
				<p className="border-line mb-1.5 border-b px-3 py-2">
					<b>{client.name}</b> <span className="text-xs text-muted block">{client.code}</span>
				</p>
				<a href="/myaccount" className={ENTRY}>
					My Profile
				</a>{' '}
				<a href={to} className={ENTRY} onClick={openDialog}>
					Change Password
				</a>
				<PostForm action="/logout" reloadDocument>
					<button type="submit" className={ENTRY}>
						Logout
					</button>
				</PostForm>
			</div>
		</>
	)
}
