"""Tracking parameters: query parameters that do not select what a page shows (data).

A name belongs here only if no site needs it to show the page. Names that mean something on some
sites (``ref``, ``source``, ``s``) are listed under the sites where they are known to mean nothing.
"""

from __future__ import annotations

PREFIXES = (
    "utm_",  # Urchin, Google Analytics and everybody since
    "utm-",
    "hsa_",  # HubSpot ads
    "mtm_",  # Matomo
    "matomo_",
    "pk_",  # Piwik
    "piwik_",
    "stm_",
    "vero_",
    "wt_",  # Webtrends
    "wt.",
    "oly_",  # Omeda
    "__hs",  # HubSpot
    "_hs",
    "fb_action_",
    "fb_comment_",
    "ga_campaign",
    "ga_content",
    "ga_medium",
    "ga_source",
    "ga_term",
    "itm_",
    "at_campaign",
    "at_medium",
    "at_custom",
    "trk_",
    "sc_campaign",
    "sc_channel",
    "sc_content",
    "sc_medium",
    "sc_outcome",
    "cm_mmc",
    "spm_",
)

NAMES = frozenset(
    {
        # clicks on advertisements
        "dclid", "fbclid", "gad_source", "gad_campaignid", "gbraid", "gclid", "gclsrc",
        "li_fat_id", "msclkid", "rdt_cid", "sccid", "srsltid", "ttclid", "twclid", "wbraid",
        "yclid", "ysclid", "_openstat", "epik", "irclickid", "irgwc", "igshid", "igsh", "zanpid",
        "mkt_tok", "ef_id", "s_kwcid", "adgroupid", "campaignid", "gdffi", "gdfms", "gdftrk",
        "obclid", "outbrainclickid", "tblci", "cjevent", "awc", "aff_id", "aff_sub", "vgo_ee",
        "hmb_campaign", "hmb_medium", "hmb_source", "action_object_map", "action_ref_map",
        "action_type_map", "fb_ref", "fb_source", "fbid_click",
        # letters and campaigns
        "mc_cid", "mc_eid", "ml_subscriber", "ml_subscriber_hash", "bsft_aaid", "bsft_clkid",
        "bsft_eid", "bsft_mid", "bsft_mime_type", "bsft_uid", "ck_subscriber_id", "ns_campaign",
        "ns_fee", "ns_linkname", "ns_mchannel", "ns_source", "nr_email_referer", "mkevt", "mkcid",
        "mkrid", "campid", "toolid", "customid", "smid", "smtyp", "cmpid", "ocid", "ito",
        "rb_clickid", "_bta_c", "_bta_tid", "_branch_match_id", "_branch_referrer", "wickedid",
        "guccounter", "guce_referrer", "guce_referrer_sig", "xtor", "traffic_source", "emci",
        "emdi", "ceid",
        # measuring of visits
        "_ga", "_gl", "_ke", "_kx", "_sp", "ncid", "nb_klid", "hsctatracking", "s_cid", "icid",
        "hss_channel", "algo_expid", "algo_pvid", "scm", "spm", "ref_src", "ref_url",
        "__twitter_impression", "__tn__", "__cft__[0]", "__xts__[0]", "sfnsn", "soc_src",
        "soc_trk", "sharedid",
    }
)  # fmt: skip

BY_SITE: dict[str, frozenset[str]] = {
    "amazon": frozenset(
        "_encoding ascsubtag content-id crid cv_ct_cx dchild dib dib_tag linkcode linkid pd_rd_i "
        "pd_rd_r pd_rd_w pd_rd_wg pf_rd_i pf_rd_m pf_rd_p pf_rd_r pf_rd_s pf_rd_t qid ref ref_ "
        "smid sprefix sr tag".split()
    ),
    "bing.com": frozenset("cvid form sc sk sp qs".split()),
    "ebay": frozenset("_trkparms _trksid amdata hash itmmeta itmprp".split()),
    "facebook.com": frozenset(
        "ref refid refsrc hc_ref fref eid mibextid paipv rdid share_url".split()
    ),
    "linkedin.com": frozenset("lipi licu originalsubdomain refid trackingid trk trkinfo".split()),
    "medium.com": frozenset(["source"]),
    "nytimes.com": frozenset(
        "smid ref emc partner campaign_id instance_id segment_id te nl".split()
    ),
    "reddit.com": frozenset("share_id ref ref_source rdt correlation_id".split()),
    "spotify.com": frozenset(["si", "nd", "dl_branch"]),
    "substack.com": frozenset("r s publication_id post_id isfreemail triedredirect".split()),
    "theguardian.com": frozenset(["cmp"]),
    "tiktok.com": frozenset("_r _t is_copy_url is_from_webapp sender_device web_id".split()),
    "twitter.com": frozenset(["s", "t", "ref"]),
    "x.com": frozenset(["s", "t", "ref"]),
    "youtube.com": frozenset(["feature", "si", "pp", "kw", "ab_channel"]),
    "youtu.be": frozenset(["feature", "si", "pp"]),
}
"""Keyed by the registrable domain, or by the name before its suffix: amazon.co.uk is amazon."""
