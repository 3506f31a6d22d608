import { type ReactNode } from 'react'
import { type ToastKind } from '~/lib/toast-kind'
import { Banner } from './banner'
import { Logo } from './brand'
import { Footer } from './footer'
import { SkipLink } from './skip-link'
import { ThemeControl } from './theme-control'
import { ToastRegion } from './toast'
import { useRoot } from './use-root'

type Props = {
	title: string
	/** Shown above the page's content. */
	notice?: '' | { kind: ToastKind; message: string }
	/** A toast of this page. It replaces a toast that the previous page left. */
	toast?: { kind: ToastKind; message: string }
	/** For a report without the shell. */
	isWide?: boolean
	children?: ReactNode
}

/** Puts space between the parts of a page that is read from top to bottom. */
const FLOW = '[&_:is(p,ul,dl)+:is(p,ul,dl,form,.btn,section)]:mt-4 [&_h2]:mt-6 [&_h2]:mb-2 [&_form>.btn]:w-full'

/** A page without the shell: login, re-KYC, errors, maintenance. */
export function PlainPage({ title, notice, toast: own, isWide, children }: Props) {
	const { brand, theme, toast, csrf } = useRoot()
	const whole = 'px-[max(16px,50%-584px)]'
	return (
		<div className="plain grid min-h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_1fr_auto]">
			<SkipLink />{' '}
			<header className={`flex items-center justify-between gap-2 py-2 sm:py-3 ${isWide ? whole : 'px-[max(16px,50%-220px)]'}`}>
				<a href="/" className="min-w-0 text-inherit no-underline!">
					<Logo brand={brand} />
				</a>{' '}
				{csrf && <ThemeControl theme={theme} />}
			</header>
			<main
				id="main"
				tabIndex={-1}
				className={
					isWide
						? 'mx-auto mt-6 mb-12 w-full max-w-content px-4 [&>h1]:mb-1'
						: `${FLOW} rounded-box border-line bg-base-100 mx-auto mt-6 mb-12 w-[min(440px,100%-32px)] self-start border p-7 [&>h1]:mb-5`
				}
			>
				<h1>{title}</h1>
				{notice && <Banner kind={notice.kind}>{notice.message}</Banner>}
				{children}
			</main>
			<Footer brand={brand} edges={whole} isCentred={!isWide} />
			<ToastRegion toast={notice ? undefined : (own ?? toast)} />
		</div>
	)
}
