// Leads people who are logged in from the public site to the app. A page of the site loads this in
// its head, before anything is painted. The app decides whether the session still counts.
function leadOn() {
  let isSignedIn = false;
  try {
    isSignedIn = localStorage.getItem('selvage.auth') !== null;
  } catch {
    // Storage is forbidden here, so no person can be logged in
  }
  if (!isSignedIn) return;
  document.documentElement.hidden = true;
  location.replace('/start');
}

leadOn();
// The browser may show this page again as it was left
addEventListener('pageshow', (event) => {
  if (event.persisted) leadOn();
});
