/** The page for somebody who has no session where nobody can sign in. */
export function noSignInPage(): Response {
  return page(
    401,
    'Nobody can sign in here',
    'This hub has no sign-in: its hub.yaml names no issuer under <code>server.sign_in</code>. Agents and programs come with a token, which <code>git mem hub token create</code> makes.',
  );
}

/** The page after signing out. */
export function signedOutPage(): Response {
  return page(200, 'You are signed out', '<a href="/sign-in">Sign in again</a>');
}

function page(status: number, title: string, text: string): Response {
  const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${title} · git-mem hub</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
<main>
<h1>${title}</h1>
<p>${text}</p>
</main>
</html>
`;
  return new Response(html, { status, headers: { 'content-type': 'text/html; charset=utf-8' } });
}
