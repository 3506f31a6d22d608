import { Form, useLocation, useMatches, useSearchParams, useSubmit } from '@remix-run/react'
import { useEffect, useRef, useState } from 'react'
import { Avatar } from './avatar'
import { type Brand, Logo } from './brand'
import { Icon } from './icon'
import { PostForm } from './post-form'
import { ThemeControl } from './theme-control'

export type TopBarProps = {
	brand: Brand
	theme: 'light' | 'dark' | 'system'
	client: { name: string; firstName: string; code: string }
	/** `2025-2026`, newest first. */
	years: readonly string[]
	year: string
}

export function TopBar({ brand, theme, client, years, year }: TopBarProps) {
	const canRefresh = useMatches().some(({ handle }) => (handle as { canRefresh?: boolean } | undefined)?.canRefresh)
	return (
		<header className="top">
			<a href="/" className="logo">
				<Logo brand={brand} />
			</a>
			<button type="button" className="open-menu tool" {...{ popovertarget: 'menu' }}>
				<Icon name="menu" />
				<span className="sr-only">Open menu</span>
			</button>
			{canRefresh && <Refresh />}
			<YearChoice years={years} year={year} />
			<ThemeControl theme={theme} />
			<div className="welcome">
				<p>Welcome, {client.firstName}</p>
				<p className="text-xs text-muted">
					<span>CLIENT</span>
					<span className="lg:hidden"> · {brand.name}</span>
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
	const { pathname } = useLocation()
	const [query] = useSearchParams()
	const [turns, setTurns] = useState(0)
	return (
		<Form method="get" action={pathname} className="refresh" replace preventScrollReset>
			<Kept query={query} without={OF_THIS_VISIT} />
			<input type="hidden" name="refresh" value="1" />
			<button type="submit" className="tool" onClick={() => setTurns(turns + 1)} title="Refresh">
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
	// Elsewhere it changes nothing that is shown, and is quiet.
	const isUsed = /^\/($|dashboard|reports)/.test(pathname)
	const form = useRef<HTMLFormElement>(null)
	// The choice was made before the script loaded.
	useEffect(() => {
		const select = form.current?.elements.namedItem('year')
		if (select instanceof HTMLSelectElement && select.value !== year) submit(form.current)
	}, [year, submit])
	return (
		<Form method="get" action={pathname} className="year" ref={form} autoComplete="off" preventScrollReset>
			<Kept query={query} without={OF_THIS_YEAR} />
			<label className="sr-only" htmlFor="year">
				Financial year
			</label>
			<select
				id="year"
				name="year"
				className={isUsed ? 'select' : 'select text-muted! border-transparent!'}
				defaultValue={year}
				key={year}
				onChange={({ target }) => submit(target.form)}
			>
				{years.map((choice) => (
					<option key={choice} value={choice}>
						{choice}
					</option>
				))}
			</select>
			<noscript>
				<button type="submit" className="btn">
					Show
				</button>
			</noscript>
		</Form>
	)
}

function UserMenu({ client }: { client: TopBarProps['client'] }) {
	const { key, pathname, search } = useLocation()
	const query = new URLSearchParams(search)
	for (const name of OF_THIS_VISIT) query.delete(name)
	query.set('dialog', 'change-password')
	return (
		<>
			<button type="button" className="tool rounded-full!" {...{ popovertarget: 'user-menu' }}>
				<Avatar name={client.name} />
				<span className="sr-only">{client.name}</span>
			</button>
			<div id="user-menu" className="floating" {...{ popover: 'auto' }} key={key}>
				<p>
					<b>{client.name}</b>
					<span className="text-xs text-muted block">{client.code}</span>
				</p>
				<a href="/myaccount">My Profile</a>
				<a href={`${pathname}?${query}`} data-keep-scroll>
					Change Password
				</a>
				<PostForm action="/logout" reloadDocument>
					<button type="submit">Logout</button>
				</PostForm>
			</div>
		</>
	)
}
