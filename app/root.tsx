import { data, type LinksFunction, type LoaderFunctionArgs } from '@remix-run/node'
import { Links, Outlet, Scripts, ScrollRestoration, useLocation, useMatches, useRouteLoaderData } from '@remix-run/react'
import { type ReactNode, useContext, useEffect } from 'react'
import { AuthenticityTokenProvider } from 'remix-utils/csrf/react'
import { isOnlyRead, LateScripts, LIVE } from '~/components/late-scripts'
import { LoadingBar, useHeadingFocus } from '~/components/page-change'
import { PageProblem } from '~/components/page-problem'
import { Title } from '~/components/title'
import { readBrand } from '~/config/brand.server'
import { fontsToPreload } from '~/fonts/fonts'
import { DocumentContext } from '~/http/document-context'
import { readRequestId } from '~/http/request-id.server'
import { commitToken } from '~/session/csrf.server'
import { readTheme } from '~/session/preferences.server'
import { takeToast } from '~/session/toast.server'
import stylesheetUrl from './app.css?url'

export const links: LinksFunction = () => [
	{ rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
	{ rel: 'icon', href: '/favicon.ico', sizes: '32x32' },
	{ rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
	{ rel: 'manifest', href: '/manifest.webmanifest' },
]

export async function loader({ request }: LoaderFunctionArgs) {
	const [[csrf, csrfCookie], { toast, headers }] = await Promise.all([commitToken(request), takeToast(request)])
	if (csrfCookie) headers.append('set-cookie', csrfCookie)
	return data({ csrf, toast, theme: readTheme(request), brand: readBrand(), reference: readRequestId(request) }, { headers })
}

export function Layout({ children }: { children: ReactNode }) {
	const { nonce, styles, isFirstPage, hasFonts } = useContext(DocumentContext)
	const root = useRouteLoaderData<typeof loader>('root')
	const theme = root?.theme ?? 'system'
	const { search } = useLocation()
	const handles = useMatches().map(({ handle }) => handle)
	const hasNoScripts = handles.some((handle) => (handle as { hasNoScripts?: boolean } | undefined)?.hasNoScripts)
	return (
		<html lang="en" data-theme={theme === 'system' ? undefined : theme}>
			<head>
				<meta charSet="utf-8" />
				<meta name="viewport" content="width=device-width, initial-scale=1" />
				<meta name="color-scheme" content={theme === 'system' ? 'light dark' : theme} />
				<Title brand={root?.brand.name ?? 'Khata'} />
				<style nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: styles }} />
				{/*
				 * The first page of a browser has the rules that it uses, and links the file at its end (entry.server.tsx). There this link is
				 * inert: Firefox compares `prefetch` with the default source of the Content-Security-Policy, which is none.
				 */}
				<link rel={isFirstPage ? 'dns-prefetch' : 'stylesheet'} as="style" href={stylesheetUrl} suppressHydrationWarning />
				{fontsToPreload.map((href) => (
					<link
						key={href}
						rel={hasFonts ? 'preload' : 'prefetch'}
						as="font"
						type="font/woff2"
						href={href}
						crossOrigin="anonymous"
						suppressHydrationWarning
					/>
				))}
				<Links />
			</head>
			<body>
				{/* First, so that a touch counts as soon as the page is drawn: the rest of a long document may still be on its way. */}
				{!hasNoScripts && isOnlyRead(handles, search) && <LateScripts nonce={nonce} />}
				<AuthenticityTokenProvider token={root?.csrf ?? 'none'}>{children}</AuthenticityTokenProvider>
				{!hasNoScripts && (
					<>
						<ScrollRestoration nonce={nonce} />
						<Scripts nonce={nonce} />
					</>
				)}
			</body>
		</html>
	)
}

export default function App() {
	useHeadingFocus()
	useEffect(() => void dispatchEvent(new Event(LIVE)), [])
	return (
		<>
			<LoadingBar />
			<Outlet />
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem />
}
