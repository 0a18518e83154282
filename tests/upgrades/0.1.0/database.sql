CREATE TABLE `app_passwords` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `app_name` varchar(100) NOT NULL,
  `password_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `last_used_at` datetime(3) DEFAULT NULL,
  `last_used_address` varchar(45) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `app_passwords_hash` (`user_id`,`password_hash`),
  KEY `app_passwords_company` (`company_id`),
  CONSTRAINT `app_passwords_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `app_passwords` VALUES (1,2,3,'Phone','99312b9d9b23d3858f747ade1f16c910b3b84193927a4cd3c3f3823f5778051c',NULL,NULL,'2026-11-22 11:43:43.896','2026-11-22 11:43:43.896');
CREATE TABLE `attachments` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `message_id` bigint(20) unsigned NOT NULL,
  `part_index` int(10) unsigned NOT NULL,
  `filename` varchar(255) NOT NULL,
  `content_type` varchar(255) NOT NULL,
  `size` int(10) unsigned NOT NULL,
  `content_id` varchar(255) DEFAULT NULL,
  `is_inline` tinyint(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `attachments_part` (`message_id`,`part_index`),
  CONSTRAINT `attachments_ibfk_1` FOREIGN KEY (`message_id`) REFERENCES `messages` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=8 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `attachments` VALUES (1,3,0,'dot.gif','image/gif',28,'dot@remote.test',1);
INSERT INTO `attachments` VALUES (2,3,1,'rows.csv','text/csv',26,NULL,0);
INSERT INTO `attachments` VALUES (3,3,2,'Bericht über Oktober.bin','application/octet-stream',6000,NULL,0);
INSERT INTO `attachments` VALUES (4,9,0,'note.txt','text/plain',18,NULL,0);
INSERT INTO `attachments` VALUES (5,10,0,'attachment-1.txt','text/rfc822-headers',310,NULL,0);
INSERT INTO `attachments` VALUES (6,12,0,'note.txt','text/plain',22,NULL,0);
INSERT INTO `attachments` VALUES (7,14,0,'note.txt','text/plain',35,NULL,0);
CREATE TABLE `audit_events` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned DEFAULT NULL,
  `actor_id` bigint(20) unsigned DEFAULT NULL,
  `action` varchar(64) NOT NULL,
  `entity` varchar(64) DEFAULT NULL,
  `entity_id` bigint(20) unsigned DEFAULT NULL,
  `details` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`details`)),
  `address` varchar(45) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `audit_company` (`company_id`,`created_at`),
  KEY `audit_actor` (`actor_id`,`created_at`),
  KEY `audit_entity` (`entity`,`entity_id`,`created_at`)
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `audit_events` VALUES (1,2,2,'session:start','user',2,'{\"name\":\"open\"}','','2026-11-22 11:43:43.397');
INSERT INTO `audit_events` VALUES (2,2,2,'session:end','user',2,'{\"name\":\"ended\"}','','2026-11-22 11:43:43.413');
INSERT INTO `audit_events` VALUES (3,2,3,'session:start','user',3,'{\"name\":\"open\"}','','2026-11-22 11:43:43.777');
INSERT INTO `audit_events` VALUES (4,2,3,'session:end','user',3,'{\"name\":\"ended\"}','','2026-11-22 11:43:43.850');
INSERT INTO `audit_events` VALUES (5,3,5,'session:start','user',5,'{\"name\":\"open\"}','','2026-11-22 11:43:43.866');
INSERT INTO `audit_events` VALUES (6,3,5,'session:end','user',5,'{\"name\":\"ended\"}','','2026-11-22 11:43:43.878');
CREATE TABLE `clients` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `fname` varchar(100) NOT NULL,
  `lname` varchar(100) DEFAULT NULL,
  `phone_number` varchar(20) DEFAULT NULL,
  `country` varchar(100) DEFAULT NULL,
  `personal_email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `business_email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `is_default` tinyint(1) NOT NULL DEFAULT 0,
  `active_status` tinyint(1) NOT NULL DEFAULT 1,
  `deleted_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `clients_company` (`company_id`),
  CONSTRAINT `clients_ibfk_1` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `clients` VALUES (1,1,'host.test',NULL,NULL,NULL,'admin@host.test','admin@host.test',1,1,NULL,'2026-11-22 11:43:41.789','2026-11-22 11:43:41.789');
INSERT INTO `clients` VALUES (2,2,'Acme',NULL,NULL,NULL,'office@acme.test','office@acme.test',0,1,NULL,'2026-11-22 11:43:42.596','2026-11-22 11:43:42.596');
INSERT INTO `clients` VALUES (3,3,'Birch & Söhne',NULL,NULL,NULL,'office@birch.test','office@birch.test',0,1,NULL,'2026-11-22 11:43:42.764','2026-11-22 11:43:42.764');
CREATE TABLE `companies` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(255) NOT NULL,
  `email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `is_provider` tinyint(1) NOT NULL DEFAULT 0,
  `industry` varchar(100) DEFAULT NULL,
  `phone` varchar(20) DEFAULT NULL,
  `address` varchar(500) DEFAULT NULL,
  `city` varchar(100) DEFAULT NULL,
  `state` varchar(100) DEFAULT NULL,
  `country` varchar(100) DEFAULT NULL,
  `pin_code` varchar(10) DEFAULT NULL,
  `active_status` tinyint(1) NOT NULL DEFAULT 1,
  `created_by` bigint(20) unsigned DEFAULT NULL,
  `deleted_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `companies` VALUES (1,'host.test','admin@host.test',1,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,'2026-11-22 11:43:41.780','2026-11-22 11:43:41.780');
INSERT INTO `companies` VALUES (2,'Acme','office@acme.test',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,'2026-11-22 11:43:42.594','2026-11-22 11:43:42.594');
INSERT INTO `companies` VALUES (3,'Birch & Söhne','office@birch.test',0,NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,NULL,NULL,'2026-11-22 11:43:42.763','2026-11-22 11:43:42.763');
CREATE TABLE `deliveries` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned DEFAULT NULL,
  `message_id` bigint(20) unsigned DEFAULT NULL,
  `mail_id` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `direction` enum('in','out') NOT NULL,
  `recipient` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `recipient_domain` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `envelope_from` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `state` enum('held','queued','stored','relayed','bounced','refused','cancelled') NOT NULL,
  `reason` varchar(40) DEFAULT NULL,
  `answers` int(10) unsigned NOT NULL DEFAULT 1,
  `last_reply` varchar(1000) DEFAULT NULL,
  `remote_host` varchar(255) DEFAULT NULL,
  `attempts` int(10) unsigned NOT NULL DEFAULT 0,
  `next_attempt_at` datetime(3) DEFAULT NULL,
  `lease_until` datetime(3) DEFAULT NULL,
  `claim_id` varchar(24) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `delay_reported_at` datetime(3) DEFAULT NULL,
  `entry_id` bigint(20) unsigned DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `deliveries_message` (`message_id`),
  KEY `deliveries_entry` (`entry_id`),
  KEY `deliveries_due` (`direction`,`state`,`next_attempt_at`),
  KEY `deliveries_company` (`company_id`,`created_at`),
  KEY `deliveries_mail` (`mail_id`),
  KEY `deliveries_recipient` (`recipient`,`created_at`),
  KEY `deliveries_domain` (`direction`,`state`,`recipient_domain`,`next_attempt_at`),
  KEY `deliveries_leased` (`lease_until`),
  KEY `deliveries_day` (`created_at`,`direction`,`state`)
) ENGINE=InnoDB AUTO_INCREMENT=60 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `deliveries` VALUES (1,2,1,'01m81h3fby5wt1z159d7','in','ana@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,1,'2026-11-22 11:43:44.110','2026-11-22 11:43:44.110');
INSERT INTO `deliveries` VALUES (2,2,2,'01m81h3ffpsat75rhs0f','in','ana@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,2,'2026-11-22 11:43:44.188','2026-11-22 11:43:44.188');
INSERT INTO `deliveries` VALUES (3,2,2,'01m81h3fk1gsxsv6hvwy','in','ana@acme.test','acme.test','rita@remote.test','stored','duplicate',1,NULL,NULL,0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:44.253','2026-11-22 11:43:44.253');
INSERT INTO `deliveries` VALUES (4,2,3,'01m81h3fmcwk8yrd451j','in','ana@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,3,'2026-11-22 11:43:44.386','2026-11-22 11:43:44.386');
INSERT INTO `deliveries` VALUES (5,2,3,'01m81h3fmcwk8yrd451j','in','bob@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,4,'2026-11-22 11:43:44.386','2026-11-22 11:43:44.386');
INSERT INTO `deliveries` VALUES (6,2,4,'01m81h3frsefd0krpprg','in','ana@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,5,'2026-11-22 11:43:44.418','2026-11-22 11:43:44.418');
INSERT INTO `deliveries` VALUES (7,2,5,'01m81h3fsjeqy5z8vk83','in','ana@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,6,'2026-11-22 11:43:44.522','2026-11-22 11:43:44.522');
INSERT INTO `deliveries` VALUES (8,3,5,'01m81h3fsjeqy5z8vk83','in','dora@birch.test','birch.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,7,'2026-11-22 11:43:44.522','2026-11-22 11:43:44.522');
INSERT INTO `deliveries` VALUES (9,2,6,'01m81h3fwqtssb6zs2dy','in','ana@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,8,'2026-11-22 11:43:44.543','2026-11-22 11:43:44.543');
INSERT INTO `deliveries` VALUES (10,3,7,'01m81h3g2d38q8nsavbd','in','dora@birch.test','birch.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,9,'2026-11-22 11:43:44.848','2026-11-22 11:43:44.848');
INSERT INTO `deliveries` VALUES (11,2,8,'01m81h3g6he4aq32cpy4','in','carl@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,10,'2026-11-22 11:43:44.862','2026-11-22 11:43:44.862');
INSERT INTO `deliveries` VALUES (12,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody0@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (13,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody1@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (14,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody2@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (15,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody3@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (16,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody4@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (17,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody5@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (18,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody6@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (19,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody7@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (20,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody8@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (21,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody9@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (22,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody10@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (23,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody11@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (24,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody12@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (25,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody13@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (26,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody14@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (27,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody15@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (28,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody16@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (29,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody17@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (30,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody18@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (31,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody19@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (32,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody20@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (33,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody21@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (34,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody22@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (35,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody23@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (36,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody24@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (37,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody25@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (38,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody26@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (39,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody27@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (40,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody28@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (41,NULL,NULL,'01m81h3gkd0ervvp12t1','in','nobody29@acme.test','acme.test','spam@bad.test','refused','unknown_recipient',1,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (42,2,NULL,'01m81h3gkd0ervvp12t1','out','rita@remote.test','remote.test','boss@acme.test','refused','not_allowed_to_send_as',1,'550 5.7.1 You can send from your own address only','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (43,NULL,NULL,'01m81h3gkd0ervvp12t1','in','','','','refused','unknown_recipient',10,'550 5.1.1 There is no such mailbox','198.51.100.4',0,NULL,NULL,NULL,NULL,NULL,'2026-11-22 11:43:45.267','2026-11-22 11:43:45.267');
INSERT INTO `deliveries` VALUES (44,2,9,'01m81h3gpdgkfc2tk6pp','out','relayed@remote.test','remote.test','ana@acme.test','relayed','remote_accepted',1,'mx.remote.test: 250 2.0.0 taken','mx.remote.test',1,NULL,NULL,'68b8b79b938d7183b024cd37',NULL,11,'2026-11-22 11:43:45.381','2026-11-22 11:43:45.399');
INSERT INTO `deliveries` VALUES (45,2,9,'01m81h3gpdgkfc2tk6pp','out','refused@remote.test','remote.test','ana@acme.test','bounced','remote_refused',1,'mx.remote.test: 550 5.1.1 unknown','mx.remote.test',1,NULL,NULL,'e7b979ef8008b9fb7aa2b3c6',NULL,11,'2026-11-22 11:43:45.381','2026-11-22 11:43:45.417');
INSERT INTO `deliveries` VALUES (46,2,9,'01m81h3gpdgkfc2tk6pp','out','deferred@remote.test','remote.test','ana@acme.test','queued','remote_deferred',1,'mx.remote.test: 451 4.3.0 later','mx.remote.test',1,'2121-12-16 17:03:45.612',NULL,'4f2a7d6bb702fad0797f3494',NULL,11,'2026-11-22 11:43:45.381','2026-11-22 11:43:45.625');
INSERT INTO `deliveries` VALUES (47,2,9,'01m81h3gpdgkfc2tk6pp','out','dora@birch.test','birch.test','ana@acme.test','stored','stored_locally',1,'host.test: 250 2.1.5 stored','host.test',1,NULL,NULL,'4ec9bb9c67f07be7b6d80d8f',NULL,11,'2026-11-22 11:43:45.381','2026-11-22 11:43:45.686');
INSERT INTO `deliveries` VALUES (48,2,9,'01m81h3gpdgkfc2tk6pp','out','hidden@remote.test','remote.test','ana@acme.test','relayed','remote_accepted',1,'mx.remote.test: 250 2.0.0 taken','mx.remote.test',1,NULL,NULL,'35d7835db45515f7092d2302',NULL,11,'2026-11-22 11:43:45.381','2026-11-22 11:43:45.666');
INSERT INTO `deliveries` VALUES (49,2,10,'mwrrqo0b53d98d9bb6b2ba04','in','ana@acme.test','acme.test','','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,12,'2026-11-22 11:43:45.606','2026-11-22 11:43:45.606');
INSERT INTO `deliveries` VALUES (50,2,11,'01m81h3h0xb2rd4fb8jb','in','ana@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,14,'2026-11-22 11:43:45.729','2026-11-22 11:43:45.729');
INSERT INTO `deliveries` VALUES (51,2,12,'01m81h3h5fqmxx60mw4a','out','rita@remote.test','remote.test','ana@acme.test','relayed','remote_accepted',1,'mx.remote.test: 250 2.0.0 taken','mx.remote.test',1,NULL,NULL,'c01593db207d2a72ef5d0f2c',NULL,15,'2026-11-22 11:43:45.868','2026-11-22 11:43:45.913');
INSERT INTO `deliveries` VALUES (52,2,13,'01m81h3h8aqrkr84d424','in','ana@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,16,'2026-11-22 11:43:45.942','2026-11-22 11:43:45.942');
INSERT INTO `deliveries` VALUES (53,2,14,'01m81h3h9tdtqddw3dt7','out','rita@remote.test','remote.test','ana@acme.test','cancelled','cancelled_by_sender',1,NULL,NULL,0,NULL,NULL,NULL,NULL,17,'2026-11-22 11:43:46.035','2026-11-22 11:43:46.140');
INSERT INTO `deliveries` VALUES (54,2,14,'01m81h3h9tdtqddw3dt7','out','hidden@remote.test','remote.test','ana@acme.test','cancelled','cancelled_by_sender',1,NULL,NULL,0,NULL,NULL,NULL,NULL,17,'2026-11-22 11:43:46.035','2026-11-22 11:43:46.140');
INSERT INTO `deliveries` VALUES (55,2,15,'01m81h3hgj6vwwar6x2m','out','rita@remote.test','remote.test','ana@acme.test','cancelled','cancelled_by_sender',1,NULL,NULL,0,NULL,NULL,NULL,NULL,18,'2026-11-22 11:43:46.211','2026-11-22 11:43:46.265');
INSERT INTO `deliveries` VALUES (56,2,15,'01m81h3hgj6vwwar6x2m','out','hidden@remote.test','remote.test','ana@acme.test','cancelled','cancelled_by_sender',1,NULL,NULL,0,NULL,NULL,NULL,NULL,18,'2026-11-22 11:43:46.211','2026-11-22 11:43:46.265');
INSERT INTO `deliveries` VALUES (57,2,16,'01m81h3hmb9xgrt7q2q2','out','rita@remote.test','remote.test','bob@acme.test','held','held_for_undo',1,NULL,NULL,0,'2121-12-16 17:03:46.329',NULL,NULL,NULL,19,'2026-11-22 11:43:46.342','2026-11-22 11:43:46.342');
INSERT INTO `deliveries` VALUES (58,2,17,'01m81h3hpvbpw15excf8','out','rita@remote.test','remote.test','bob@acme.test','relayed','remote_accepted',1,'mx.remote.test: 250 2.0.0 taken','mx.remote.test',1,NULL,NULL,'3416aab3a70b3f8418540bfb',NULL,20,'2026-11-22 11:43:46.438','2026-11-22 11:43:46.468');
INSERT INTO `deliveries` VALUES (59,2,18,'01m81h3j0b40e0a30gka','in','bob@acme.test','acme.test','rita@remote.test','stored','stored_locally',1,NULL,NULL,0,NULL,NULL,NULL,NULL,21,'2026-11-22 11:43:46.749','2026-11-22 11:43:46.749');
CREATE TABLE `dkim_keys` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `domain_id` bigint(20) unsigned NOT NULL,
  `selector` varchar(63) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `public_key` text NOT NULL,
  `private_key` text NOT NULL,
  `is_active` tinyint(1) NOT NULL DEFAULT 1,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `dkim_keys_selector` (`domain_id`,`selector`),
  KEY `dkim_keys_company` (`company_id`),
  CONSTRAINT `dkim_keys_ibfk_1` FOREIGN KEY (`domain_id`) REFERENCES `domains` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `dkim_keys` VALUES (1,2,2,'default','MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAx0IjkAXb9EvVFEJpjv/2gNh51XcKZpEgfGGWne4UQxGwsP9yz6CIfaHYPKG1DljRyAyuAf8YK6mYHx2EXaBFRd/4di0Qz6nxxN1Pj/lG0pf1+Du8GN9QWEE8Kbhhzq8CvvQlz95XJMaF9127CLJ6mmoOiO2y5Pj82ZUDICqkmKqDXe7VajWoA7MwdoNtHxDNeniiEvz+du2ubjurHy19N17U3BqGNY6FbR6pua3tRpDu4OpbQK/AgUjN5l6zdCEh93wvKwT5zBGfPcoKVbOZkbirrFX2aZShiVicQ9LdWLB3ioRjJlNBy2D9++Ff9QUKr8xuKlvOosJFTkz5msJ+CQIDAQAB','v1.wXRG5D5Q9QvflUY96T6zxvEyzX1zQAM6iG_SBOf8NIqS51t7DOuv9biFKV6ezdLlWK1Vxz-XBEUWhirgnQc8ZNXP0UXIDJqxaNynyxOlWCe7iZoLQi7BxCFD1SqwXOh4JNaXkbtESNGjvCGuicLAOjIIBPtaPqj70I99c3EdKSdiY4HkEY7HXCAfZCKyUlx0DKokGd0UgLYZp0xjTKJZtHeQgsacFplJic9d3SzOD51By1fbqncXgfh90D24e72wxa_Uv5fXmbaw72BLk05KODi0wL3L3JTFtKVJ5wAgWzHN2T7R9an7MEwiLTr1iMdhenntoCbToHbuH2sSSHi65FkVdzTXgXkFnrjLF-Kxk94zmY4FcVNh4yKTY3XsMsqqDL6oqrUeQ5c9bfR0XrCyUDq01VcbvHBjuLxCnWCVRIbU3dfWATETVtqI4p2K7ILxweHdQbxgruKw4HJXqN2I1WHhhQBdCOWJFPRI8NiMu2aXDBMo-3mQqJ5lfE75eQUV9-N_6bKylMCJFTwtCprkZ4sSm6oo0pNEtnTlHOCCs-9C-4DgFZL7Bc4hSXqU8gJ9KpehtS7fzgwQMPsU3pZwuEvKF-2mLltvoxPCK9HesDov-0FfNh2P08wCl7eesZUepO4BwZRgKuFdq4tE7kJ4TQApqo3dL4j6PQvCSmOQyJ-djuq69lBlsIde71XQqw2KDfC1VPAd90MsVntV7NRBuenb-6BlBDPIOOKSBGOwbBaFMOo7g3g7Gm1iGm7dhG6Psqy8YjurM3lb9Z3YA7ezFj_Yq0qLqkDSuGHpymomwOUBZ1I8RTmX-_jz3dLiF1rS-SRcAd6MwhGPPaA7V62HcrScRz1MUOp9rs-eAWXAVxPYhxeoVAiDLA5kn8bl8RVDDxtbJ9lcpnnVHHWk60CuEnvub7w4mB8kWOGZW_cfATBcNZNfMvbPbO8vuc1mQ5yxlud4Brz9xMvfzDH--ILgCmea19AnMZQpBQKNU5roH-qaFm4XP6jFsqPnn02byQBBxRJ5KC9nN4uDorllE4MePXKNxu-zWD7ZojXwUgS1WPRXIVJGEl2SqONRyltyYSX1woeMQgf-YuvWg-MKriGectCDYA0K9R9g1Hzp7tl7gkI29z8kpZJcEfzrSdCKuo1MTZrbolu7JY_ye31PS7Im70-nC688O6nJt1zrrmorBQUCb6Rd6yk7YucArHNwGwZNThdYclGcnMvxgEu2Yk0s5h3eYfouYYb5Rdhv76NBYDUCOF9XlLkSVJ3MWNBIueyXNwZv6JlUSzLUiC0mI-a5QeLvA_NZ-HKNqtp9kmxOIiWUq0_Q3iSiIYsl9aYZhR6M84WKynuUYTBmDTEIVnP9-C-s7DD_h2YiztFSruyVme-unmUBXTk4m997sfacHImlX6NNao_f5UWVZUdwF-kgvfDmil2oKhpidG3BbriPPPopPDtu4Qo7vLZZ5qBgR0b5ViV1I7ZviSPDCP-QfplFpfcfvOZWw4U8Gsw-UD9ZyRJL9ellqEjdnrG38rQizVLV0H06MtowvVRCBRA7OvvSDO9XA_HnqmmJWa6sm13bPzFYGISv-4uz4uzCSiV5GSDthkvO5wcyhLSYr4gD8PeR-7qc6mTmD0MyMlmy48tXv7jBcdeDnpV0ykeYr460nh4B9UfhO2MN76wKzpt1rss37F_6U-7ETFEQPqzn7SutQhEXjHI9CyTtaOK8xd_zDgYK89bs3uRjNvoykgInYxewp_1_ziZHSm--zLCl83XftWFmMB22OX9WVYqGjTduQfAYv7Kq-Jrd65wvpQkicRfC99bRwNZfRe1_p42TowpF72UwPIYIdEdOjxoOSJcHWq2UvsYAjfBshyX8XDVdJeaqBZL0ROxpwqYI1E2jPDLqn44AfdqINPCuYkp_StpfN8NIa2KBBstiVXinMtir46S024jmLt6G0TViuFxTLhRNAgHllFq6SgQPiyRHnNl5FZbyE_GoM9A9gsA07leE5Q7bOC2OPMPlJ9EmuczIrniZ6atUedPVTeUHadREFPm6GUYGZQHJfGdxqgF7vv6gnPmze0gYZAaXIJy1EwBmV-h9iTrS0z5-eKIbtEXKWTaeYS48NJ21BAjAbBo-Z1FjO-SD9zC9ImtmiyGQC8DwX6779aNICrGXRAEl9q-z83e-sPiNJFiQH2NH7elkLPAYK_ffx2yuK8DSRPD1nFxcMk3c86RFpZS2vT-FJiVDxcI1L4Gzc9AYtiVUHGD6PExppo84USS-plRr-_PF9pvibOlYdQ3Ii0EsF_rDtpilKVwzuxuPCYxSIA',1,'2026-11-22 11:43:42.599','2026-11-22 11:43:42.599');
INSERT INTO `dkim_keys` VALUES (2,3,3,'default','MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA32DNE0/WXIsIxoSdywIlyod4TW+L0BUAUGYLNrVI09zOCXh+qRUGI/mvUTiM9SuQCzmxmOQasxoQsSL/Iw96J94qS3Fw5eqkJTxfpID1sNzCN337d54mEFcYqyJr2Kyv2n9It6sOB541/6gMqGhJ7t6RZ8ukPoJIIzz79CV4IYwPsrnuCPEuyubQRCS9s4gFRi3hw962KywAVz4au8nGz+q/J9DpknWJ3c88Eg+gI2+A1H5VnYCEDmB9XUHTpWebvgZFhdruV+kS2dU1mZdDxgQDoj2VW/R5U3ipOaimPXchGd/ZqKPiTUAu2Jad/d0MCHgDurmz5cBGgcVKLxS0dwIDAQAB','v1.g99qNOZ2JXj7B08mtPh5SO-wZSFKQa4U7AjTrS2gE9TB9BAfZC2Oi8hQdPsIfvx6JF0ljiX7Bgkbm8iILk2cN_CUgYZlKPtf_K1nMEMHuOWm_GPhTu1unL314GG9Bu3PIo85pow7sXkceAlvVqBqs-6ZHpnXJ2iKHvKzeYxEyZABPiuZxNAs7AlPTjeCg-I4e6S8ey1ut2CvxPeaKAc2ZNeDGWn0TBA7QpZ_tsGFXsLLnknDdOvCZHVAgDpO0oHiN8T-PosVcbDT_iXX57gfqDv6b-e9Tv3JKvSta8myQdCVxFbn4s5soqkfdjUNyU1IrpNLA_avBZMOeYcx0Ct2QR7bOLrx1Z8BtaNqRDifkDe3N72MRLzFewTio8w9HZAQDThRF5aN9kE7ZOlTajiPVdi1OBPRI_F_JAJvKH76rXzUNbFM4RtB2ypo15xgxehnMV5zITbKDDgy9066fbfRIDHqQaJ697_iVSCU6kfzKiAtEmqqbHoNCo5emjxw0cQGFb94_mIIF1LYf_cpCe0OwVxDabRcKS60pR_4rIWzSJ8_MwXb41lNqDAKnu9jnc6eB7QPOO5oBngZlHGNXcsV8GKE_ICAG6Bi199feF7Jh5XFIwrR5PuSF4ZdDaTVbuyWQtYYuopyNP74-UJ8XBcO-IHRglE8Sel9QxGo0roOfFUVAaJwDNBTTxsRUvWWux63r-uah4dAJe04j0onztZ9BtUhrafOTwgN65vMfvfBQ_pshfcxSZWqGujZHHCgMBTuWkT8voKvVjKXWW62NRW8aSos70XPUcfxAJijjoWLsc5M-jvYF4Ee9X3gMvmkRZg2VkpTqD0E91yNgVXmJHP87tvaR9N-EAGBEkv01FcbN1IPI9NIyOUdt9yI57rKdjLOt5U8JJoRqEjyjr4E9fsEDbySZn6sTmWkD94DrFAn83ygT1rfl7E3o0Cvr2QLB4zj2AubhIFpQO3NTrxXrDEU7jw0Zag3jRbwXjMJoESbVVoQraov4PyBDeOHNP0945Y98by1tZmouxdDLxk_stXh_rPQDot1mpKCmPz2RkbzPp5kQ-ge2nsePBn0_R0zasu_HWib7ZWSE0fgK3gdq_ta743TjUX2eBM7uhH6OSQ0lTGCRJUyE2vMbGaezgabewb1t_orlvZjBxiYE_lnDxfhZs6q7o1y9bYhVeVIIwjC8_KwHyjA8De0flOfgb4kZ0DxeRUE7dJt0_TOXEga9dCSqsXN_KUXaCQA_eCNOK5km0cG5St0vMVRQGVD9UnQF0bHsmgqCXMfe_z65PT90km28jAyr6SzEEQG0bcSAjt8VyvDvXb8GUCKR1xQEjI3tPADGsEFK0qtp5M4MdSvEeWwKTjGhXEbPraZn2poCOpTpTnIwVrxePI4JJhEgyRzoh8fn8WB4EZg665Zb51A8GB3mb4aL4j_vhDnnif8oEAtRGk9X3c90n86L__OS7ZEB2AGVg9g4XvEMZHd-nhLrWDvutrVB05F1BNGTaNIngvZWQG3MJJO-33rRtLNAKE-wZh8f0KlALMqVV0AxeNkCyTcdGj9tJ8x-lHjGE_QsIscRrOQuT5Ogeq_mWfHByo3wqm-gNk67AHAPuTX8gg32-LDb_mK7KsBUr_aF-hsXVD69P0wN0oQOShJ0uI-AKdHF8ofel5oYjqAAdThqUpTbdVUwCvqvzEOtNTuR3zN9AWARCrot6YjBQO0ihCUffY_FT8UKn_NCdI_YZvvkUAd45wKcQ8BlA89pcZTfPYDtbm9iQFu_jVX0yharwyFvjNJZCTSZClsD2CEWID8vcxyyq7FSZ-VF6wgpSwB-mC-Sz4SVmxri8gXUMtH5-JMA3qy-ferZlCy2d7uFfcBpWqRBJoNabs5Yq4YuaDQi-PcrO3SX7Nhd01rG4NTV2AeZi7_nqL_IRo74VaS1x7UCvVIrKugWtshXhwGIdHrIkZxIc5Ht8mlzq1lOqfRNKy0rrdQHJX8o6luTYbc9xvPlGoZBCNjegF9lJG_YfcsVyWpxjcuEk_XVMwdArIJczBpJczoUVnZhzT2X5tadJu9B8EDV4ZwWrVpp33_zXAz4JEbVOGn9-lZ_Ubwb-pVaFOQUbERLbLhWJ3zVXgCLfuQ1l4p6qgdY18sdeE1NLSJX0NQI0VyFdoD5ZF9J_5jITLGzPizJtKMjrIOBBDPJA7oReP8K2Y2U_7rVPVEfwAsHwMcRNDxF5Y_GgFdRje76rD7hbuInJjTWcW6qNZhybXSgkjOIuarUXid64s04QzmqJHPSy1OwH8oZ9gIfb12IxDgOx_3mLq8pA_Iaw',1,'2026-11-22 11:43:42.807','2026-11-22 11:43:42.807');
CREATE TABLE `domains` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `domain_name` varchar(253) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `expiration_date` datetime(3) DEFAULT NULL,
  `active_status` tinyint(1) NOT NULL DEFAULT 1,
  `deleted_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `domains_name` (`domain_name`),
  KEY `domains_company` (`company_id`),
  CONSTRAINT `domains_ibfk_1` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `domains` VALUES (1,1,'host.test',NULL,1,NULL,'2026-11-22 11:43:41.961','2026-11-22 11:43:41.961');
INSERT INTO `domains` VALUES (2,2,'acme.test',NULL,1,NULL,'2026-11-22 11:43:42.597','2026-11-22 11:43:42.597');
INSERT INTO `domains` VALUES (3,3,'birch.test',NULL,1,NULL,'2026-11-22 11:43:42.806','2026-11-22 11:43:42.806');
CREATE TABLE `draft_attachments` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `draft_id` bigint(20) unsigned NOT NULL,
  `blob_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `filename` varchar(255) NOT NULL,
  `content_type` varchar(255) NOT NULL,
  `size` int(10) unsigned NOT NULL,
  PRIMARY KEY (`id`),
  KEY `draft_attachments_draft` (`draft_id`),
  KEY `draft_attachments_blob` (`blob_key`),
  CONSTRAINT `draft_attachments_ibfk_1` FOREIGN KEY (`draft_id`) REFERENCES `drafts` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `draft_attachments` VALUES (1,1,'c243610dc1f1fe1a05508c16e919fded16ec4951778d15e7d7ef5716fa82d1de','note.txt','text/plain',35);
CREATE TABLE `drafts` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `to_list` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL CHECK (json_valid(`to_list`)),
  `cc_list` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL CHECK (json_valid(`cc_list`)),
  `bcc_list` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL CHECK (json_valid(`bcc_list`)),
  `subject` varchar(998) NOT NULL DEFAULT '',
  `body` longtext NOT NULL,
  `star_status` tinyint(1) NOT NULL DEFAULT 0,
  `original_entry_id` bigint(20) unsigned DEFAULT NULL,
  `is_reply` tinyint(1) NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `drafts_user` (`user_id`,`updated_at`,`id`),
  KEY `drafts_company` (`company_id`),
  CONSTRAINT `drafts_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `drafts` VALUES (1,2,2,'[\"rita@remote.test\"]','[]','[\"hidden@remote.test\"]','Second thoughts with a file','<p>Dear reader, <b>Second thoughts with a file</b>.</p>',0,NULL,0,'2026-11-22 11:43:46.148','2026-11-22 11:43:46.148');
INSERT INTO `drafts` VALUES (2,2,2,'[\"rita@remote.test\"]','[]','[\"hidden@remote.test\"]','Second thoughts','<p>Dear reader, <b>Second thoughts</b>.</p>',0,NULL,0,'2026-11-22 11:43:46.271','2026-11-22 11:43:46.271');
CREATE TABLE `folder_totals` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `folder` enum('inbox','sent','starred','archive','trash','draft') NOT NULL,
  `total` int(10) unsigned NOT NULL DEFAULT 0,
  `unread` int(10) unsigned NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `folder_totals_folder` (`user_id`,`folder`),
  KEY `folder_totals_company` (`company_id`),
  CONSTRAINT `folder_totals_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=11 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `folder_totals` VALUES (1,2,2,'inbox',6,4);
INSERT INTO `folder_totals` VALUES (2,2,3,'inbox',2,2);
INSERT INTO `folder_totals` VALUES (3,2,2,'starred',2,1);
INSERT INTO `folder_totals` VALUES (4,2,2,'archive',1,1);
INSERT INTO `folder_totals` VALUES (5,3,5,'inbox',3,3);
INSERT INTO `folder_totals` VALUES (6,2,2,'trash',1,0);
INSERT INTO `folder_totals` VALUES (7,2,4,'inbox',1,1);
INSERT INTO `folder_totals` VALUES (8,2,2,'sent',2,0);
INSERT INTO `folder_totals` VALUES (9,2,2,'draft',2,0);
INSERT INTO `folder_totals` VALUES (10,2,3,'sent',1,0);
CREATE TABLE `idempotency_keys` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `idempotency_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `fingerprint` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `claimed_until` datetime(3) NOT NULL,
  `entry_id` bigint(20) unsigned DEFAULT NULL,
  `undo_until` datetime(3) DEFAULT NULL,
  `undone_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `idempotency_keys_key` (`user_id`,`idempotency_key`),
  KEY `idempotency_keys_entry` (`entry_id`),
  KEY `idempotency_keys_age` (`created_at`),
  KEY `idempotency_keys_company` (`company_id`),
  CONSTRAINT `idempotency_keys_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `idempotency_keys` VALUES (1,2,2,'kept-true','kept','2026-11-22 11:44:45.947',17,'2026-11-22 11:53:46.023','2026-11-22 11:43:46.168','2026-11-22 11:43:45.947');
INSERT INTO `idempotency_keys` VALUES (2,2,2,'kept-false','kept','2026-11-22 11:44:46.182',18,'2026-11-22 11:53:46.207','2026-11-22 11:43:46.283','2026-11-22 11:43:46.183');
CREATE TABLE `mailbox_entries` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `message_id` bigint(20) unsigned NOT NULL,
  `folder` enum('inbox','sent','archive','trash','gone') NOT NULL,
  `read_status` tinyint(1) NOT NULL DEFAULT 0,
  `star_status` tinyint(1) NOT NULL DEFAULT 0,
  `archive_status` tinyint(1) NOT NULL DEFAULT 0,
  `trash_status` tinyint(1) NOT NULL DEFAULT 0,
  `delete_status` tinyint(1) NOT NULL DEFAULT 0,
  `send_status` tinyint(1) NOT NULL DEFAULT 0,
  `received_status` tinyint(1) NOT NULL DEFAULT 0,
  `bcc_list` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`bcc_list`)),
  `thread_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `delivery_state` varchar(16) DEFAULT NULL,
  `undo_until` datetime(3) DEFAULT NULL,
  `arrived_at` datetime(3) NOT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `entries_folder` (`user_id`,`folder`,`arrived_at`,`id`,`read_status`),
  KEY `entries_starred` (`user_id`,`star_status`,`arrived_at`,`id`,`folder`),
  KEY `entries_thread` (`user_id`,`thread_key`),
  KEY `entries_message` (`message_id`,`folder`),
  KEY `entries_company` (`company_id`),
  CONSTRAINT `mailbox_entries_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`),
  CONSTRAINT `mailbox_entries_ibfk_2` FOREIGN KEY (`message_id`) REFERENCES `messages` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=22 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `mailbox_entries` VALUES (1,2,2,1,'inbox',0,0,0,0,0,0,1,NULL,'77609e9a5b4b77e608a07bd0ecc073c1be98057efac3df8eb9d2f1dcf5f95460',NULL,NULL,'2026-11-22 11:43:44.081','2026-11-22 11:43:44.081','2026-11-22 11:43:44.081');
INSERT INTO `mailbox_entries` VALUES (2,2,2,2,'inbox',1,0,0,0,0,0,1,NULL,'83827e227aecf0efc5c6b4b9910aebbb53f5def145c68778078e5091bbff807b',NULL,NULL,'2026-11-22 11:43:44.157','2026-11-22 11:43:44.157','2026-11-22 11:43:44.205');
INSERT INTO `mailbox_entries` VALUES (3,2,2,3,'inbox',1,1,0,0,0,0,1,NULL,'89d2ccdbc364eb85b98afb1fa8c255889825c3dd9914f657ceb99199243f0a3a',NULL,NULL,'2026-11-22 11:43:44.382','2026-11-22 11:43:44.382','2026-11-22 11:43:44.402');
INSERT INTO `mailbox_entries` VALUES (4,2,3,3,'inbox',0,0,0,0,0,0,1,NULL,'89d2ccdbc364eb85b98afb1fa8c255889825c3dd9914f657ceb99199243f0a3a',NULL,NULL,'2026-11-22 11:43:44.382','2026-11-22 11:43:44.382','2026-11-22 11:43:44.382');
INSERT INTO `mailbox_entries` VALUES (5,2,2,4,'archive',0,1,1,0,0,0,1,NULL,'e8124c9d2f217bcf84bec4db79b895bd32c17b90f727ee80e07c92da6d1fffbf',NULL,NULL,'2026-11-22 11:43:44.417','2026-11-22 11:43:44.417','2026-11-22 11:43:44.425');
INSERT INTO `mailbox_entries` VALUES (6,2,2,5,'trash',1,1,0,1,0,0,1,NULL,'b5fefe3f129c23e22db89cc0a69337159cea5dffb8853216242a22ac507cad30',NULL,NULL,'2026-11-22 11:43:44.519','2026-11-22 11:43:44.519','2026-11-22 11:43:44.524');
INSERT INTO `mailbox_entries` VALUES (7,3,5,5,'inbox',0,0,0,0,0,0,1,NULL,'b5fefe3f129c23e22db89cc0a69337159cea5dffb8853216242a22ac507cad30',NULL,NULL,'2026-11-22 11:43:44.519','2026-11-22 11:43:44.519','2026-11-22 11:43:44.519');
INSERT INTO `mailbox_entries` VALUES (8,2,2,6,'gone',0,0,0,1,1,0,1,NULL,'f0729f0141dbd397bd250c69b2c1d64aa4da83221aa0fc20372e92a4a10bf5cb',NULL,NULL,'2026-11-22 11:43:44.542','2026-11-22 11:43:44.542','2026-11-22 11:43:44.708');
INSERT INTO `mailbox_entries` VALUES (9,3,5,7,'inbox',0,0,0,0,0,0,1,NULL,'107ff4ce4b1a7bca61d7c1b4a9c207f8350721b463901004bc39758864810386',NULL,NULL,'2026-11-22 11:43:44.846','2026-11-22 11:43:44.846','2026-11-22 11:43:44.846');
INSERT INTO `mailbox_entries` VALUES (10,2,4,8,'inbox',0,0,0,0,0,0,1,NULL,'333c86e52235a39df9b5c8166b4bac2434966469ee1ddac18020b2b858c6ea35',NULL,NULL,'2026-11-22 11:43:44.857','2026-11-22 11:43:44.857','2026-11-22 11:43:44.857');
INSERT INTO `mailbox_entries` VALUES (11,2,2,9,'sent',1,0,0,0,0,1,0,'[\"hidden@remote.test\"]','d8e90a5aafa92dfd7d8d32575f09da6b0058acc83491d89ab68556d6a1a06073','bounced',NULL,'2026-11-22 11:43:45.380','2026-11-22 11:43:45.380','2026-11-22 11:43:45.418');
INSERT INTO `mailbox_entries` VALUES (12,2,2,10,'inbox',0,0,0,0,0,0,1,NULL,'d8e90a5aafa92dfd7d8d32575f09da6b0058acc83491d89ab68556d6a1a06073',NULL,NULL,'2026-11-22 11:43:45.499','2026-11-22 11:43:45.499','2026-11-22 11:43:45.499');
INSERT INTO `mailbox_entries` VALUES (13,3,5,9,'inbox',0,0,0,0,0,0,1,NULL,'d8e90a5aafa92dfd7d8d32575f09da6b0058acc83491d89ab68556d6a1a06073',NULL,NULL,'2026-11-22 11:43:45.688','2026-11-22 11:43:45.688','2026-11-22 11:43:45.688');
INSERT INTO `mailbox_entries` VALUES (14,2,2,11,'inbox',0,0,0,0,0,0,1,NULL,'b19521b997c2b97268f7720f44ee76eb76b18d10e57bc038013fa26b3e0f3106',NULL,NULL,'2026-11-22 11:43:45.724','2026-11-22 11:43:45.724','2026-11-22 11:43:45.724');
INSERT INTO `mailbox_entries` VALUES (15,2,2,12,'sent',1,0,0,0,0,1,0,'[]','b19521b997c2b97268f7720f44ee76eb76b18d10e57bc038013fa26b3e0f3106','relayed',NULL,'2026-11-22 11:43:45.866','2026-11-22 11:43:45.866','2026-11-22 11:43:45.915');
INSERT INTO `mailbox_entries` VALUES (16,2,2,13,'inbox',0,0,0,0,0,0,1,NULL,'b19521b997c2b97268f7720f44ee76eb76b18d10e57bc038013fa26b3e0f3106',NULL,NULL,'2026-11-22 11:43:45.941','2026-11-22 11:43:45.941','2026-11-22 11:43:45.941');
INSERT INTO `mailbox_entries` VALUES (19,2,3,16,'sent',1,0,0,0,0,1,0,'[]','53d2cb3e89d961a807db7213cfa356421d073f92d1f973b8303cb528d0b4be29','held','2121-12-16 17:03:46.329','2026-11-22 11:43:46.332','2026-11-22 11:43:46.332','2026-11-22 11:43:46.332');
INSERT INTO `mailbox_entries` VALUES (20,2,3,17,'gone',1,0,0,0,1,1,0,'[]','dd2fb551c184e57b39f4d96e4699703c72d4bc0b598074194d6069330e136f43','relayed',NULL,'2026-11-22 11:43:46.436','2026-11-22 11:43:46.436','2026-11-22 11:43:46.475');
INSERT INTO `mailbox_entries` VALUES (21,2,3,18,'inbox',0,0,0,0,0,0,1,NULL,'3bd57d0455b92a9f88c00be9379c4af41f56c497b3b0a0f0c25eeef5cac5a0a9',NULL,NULL,'2026-11-22 11:43:46.738','2026-11-22 11:43:46.738','2026-11-22 11:43:46.738');
CREATE TABLE `messages` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `mail_id` varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `blob_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `size` int(10) unsigned NOT NULL,
  `trace_headers` mediumtext NOT NULL,
  `message_id_header` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `thread_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `envelope_from` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `from_address` varchar(320) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL DEFAULT '',
  `from_name` varchar(255) NOT NULL DEFAULT '',
  `subject` varchar(998) NOT NULL DEFAULT '',
  `preview` varchar(255) NOT NULL DEFAULT '',
  `to_list` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL CHECK (json_valid(`to_list`)),
  `cc_list` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL CHECK (json_valid(`cc_list`)),
  `sent_at` datetime(3) DEFAULT NULL,
  `authentication` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL CHECK (json_valid(`authentication`)),
  `attachment_count` int(10) unsigned NOT NULL DEFAULT 0,
  `dedupe_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `is_forwarded` tinyint(1) NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `messages_mail_id` (`mail_id`),
  KEY `messages_blob` (`blob_key`),
  KEY `messages_dedupe` (`dedupe_key`),
  KEY `messages_message_id` (`message_id_header`),
  KEY `messages_day` (`created_at`)
) ENGINE=InnoDB AUTO_INCREMENT=19 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `messages` VALUES (1,'01m81h3fby5wt1z159d7','eb733fa7edd04ca8edf1e18a36265f96bf9b30cec6220a9c7882715489fc0e35',269,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3fby5wt1z159d7;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<unread@remote.test>','77609e9a5b4b77e608a07bd0ecc073c1be98057efac3df8eb9d2f1dcf5f95460','rita@remote.test','rita@remote.test','Rita Remote','Not read yet','This is about: Not read yet. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'ac1e1fa41fed5672657609ef68663f819ec3d3f42c7d10b645a914a00def7060',0,'2026-11-22 11:43:44.070','2026-11-22 11:43:44.070');
INSERT INTO `messages` VALUES (2,'01m81h3ffpsat75rhs0f','e532c7bf134aacda605a7ef7ac1f4f1975704a6ef07150a58bb241c719f61811',251,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3ffpsat75rhs0f;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<read@remote.test>','83827e227aecf0efc5c6b4b9910aebbb53f5def145c68778078e5091bbff807b','rita@remote.test','rita@remote.test','Rita Remote','Read','This is about: Read. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'910a4b110f102db3f40f78ff1c192b7930d759875f00b21f89935aa38cb5f0a5',0,'2026-11-22 11:43:44.151','2026-11-22 11:43:44.151');
INSERT INTO `messages` VALUES (3,'01m81h3fmcwk8yrd451j','2aef02109685c83730edce7e410291ff3bb03f97ea813c4a4b1f51a0d5c08d68',9532,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3fmcwk8yrd451j;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<multipart@remote.test>','89d2ccdbc364eb85b98afb1fa8c255889825c3dd9914f657ceb99199243f0a3a','rita@remote.test','rita@remote.test','Rita Remote','Numbers of October 📈','The numbers of October 📈 are attached.','[\"Ana Kept <ana@acme.test>\",\"bob@acme.test\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',2,'5149509b27fa917d23be0306a8c6e4e8ea22f5553c1dedb89ed20804ba153924',0,'2026-11-22 11:43:44.380','2026-11-22 11:43:44.380');
INSERT INTO `messages` VALUES (4,'01m81h3frsefd0krpprg','6f4b0bd3708e0e8614e080a84707d343e0cf8c287a6b9c561a3af6f2f89cb0a6',342,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3frsefd0krpprg;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<latin@remote.test>','e8124c9d2f217bcf84bec4db79b895bd32c17b90f727ee80e07c92da6d1fffbf','rita@remote.test','rita@remote.test','Rita Remote','Grüße aus Köln','Schöne Grüße, bis nächste Woche!','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'362e25804e1f39d58aa152264690c1f033d2e9a78ec9dab093dbe678b1486763',0,'2026-11-22 11:43:44.416','2026-11-22 11:43:44.416');
INSERT INTO `messages` VALUES (5,'01m81h3fsjeqy5z8vk83','d9fa2c479d889ef35af2e58a45a59dae3354b2444b1e12daadae870a828facd9',268,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3fsjeqy5z8vk83;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<trash@remote.test>','b5fefe3f129c23e22db89cc0a69337159cea5dffb8853216242a22ac507cad30','rita@remote.test','rita@remote.test','Rita Remote','In the trash','This is about: In the trash. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'35ba4b0cd9c419b7b7f7e72b41c156035e8e0efc1f333e2b1d0af53c7723ffec',0,'2026-11-22 11:43:44.517','2026-11-22 11:43:44.517');
INSERT INTO `messages` VALUES (6,'01m81h3fwqtssb6zs2dy','afd19113bd29049d55810f7c40634d189897188cffc214442fcfb3039f3d4d7f',260,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3fwqtssb6zs2dy;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<deleted@remote.test>','f0729f0141dbd397bd250c69b2c1d64aa4da83221aa0fc20372e92a4a10bf5cb','rita@remote.test','rita@remote.test','Rita Remote','Deleted','This is about: Deleted. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'f3d2bc96890fde3164e3d14f55459ef1f564a0b87a073bee731d410b2bee81fe',0,'2026-11-22 11:43:44.541','2026-11-22 11:43:44.541');
INSERT INTO `messages` VALUES (7,'01m81h3g2d38q8nsavbd','b472988fdbfeb97a53fd5fb74c308da33b48839d367d738bba5cf378ff5e65f1',362,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3g2d38q8nsavbd;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<forged@remote.test>','107ff4ce4b1a7bca61d7c1b4a9c207f8350721b463901004bc39758864810386','rita@remote.test','rita@remote.test','Rita Remote','Your account at the bank','This is about: Your account at the bank. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'1a02a5eb237b6ac49666e459c86e535c06fb437b126c74fc2578ac3dc98e3fb3',0,'2026-11-22 11:43:44.844','2026-11-22 11:43:44.844');
INSERT INTO `messages` VALUES (8,'01m81h3g6he4aq32cpy4','955f3e3f47006c157826e88e721a33076473efb97cdffdef813f889cf09ef1d5',285,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3g6he4aq32cpy4;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<leaver@remote.test>','333c86e52235a39df9b5c8166b4bac2434966469ee1ddac18020b2b858c6ea35','rita@remote.test','rita@remote.test','Rita Remote','For Carl, who leaves','This is about: For Carl, who leaves. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'507aceb1959a07ec2f202ac03c452e5b5c746546a621e09ab13c5fcd5bfdaffd',0,'2026-11-22 11:43:44.856','2026-11-22 11:43:44.856');
INSERT INTO `messages` VALUES (9,'01m81h3gpdgkfc2tk6pp','440649e50f9793308e2cecff4ad52dc6d4ace762229a8548d176f63bb5e9ec4f',977,'Received: by host.test with HTTPS id 01m81h3gpdgkfc2tk6pp;\r\n	Sun, 22 Nov 2026 11:43:45 +0000\r\n','<four-fates@host.test>','d8e90a5aafa92dfd7d8d32575f09da6b0058acc83491d89ab68556d6a1a06073','ana@acme.test','ana@acme.test','Ana Kept','Four fates','Dear reader, Four fates.','[\"relayed@remote.test\",\"refused@remote.test\",\"deferred@remote.test\",\"dora@birch.test\"]','[]','2026-11-03 08:00:00.000',NULL,1,NULL,0,'2026-11-22 11:43:45.379','2026-11-22 11:43:45.379');
INSERT INTO `messages` VALUES (10,'mwrrqo0b53d98d9bb6b2ba04','419c6f71199cf9dc84885134423ecb91e2b79d8ed34a76816446ed2e37432cfd',1650,'Return-Path: <>\r\n','<mwrrqo0b53d98d9bb6b2ba04@host.test>','d8e90a5aafa92dfd7d8d32575f09da6b0058acc83491d89ab68556d6a1a06073','','MAILER-DAEMON@host.test','Mail Delivery System','Undelivered Mail Returned to Sender','This is the mail system at host.test. Your message could not be delivered to one or more recipients. It will not be tried again. Subject: Four fates <refused@remote.test>: the server of the recipient…','[\"ana@acme.test\"]','[]','2026-11-22 11:43:45.000',NULL,1,'3562382bc8b5551d8aa4c33402672add94ac2ade308ce286660d897606bdb023',0,'2026-11-22 11:43:45.497','2026-11-22 11:43:45.497');
INSERT INTO `messages` VALUES (11,'01m81h3h0xb2rd4fb8jb','12dd82b12bca59098fafd74e30a624090f53e8708cbc7febfdbb60fcac119535',267,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3h0xb2rd4fb8jb;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<question@remote.test>','b19521b997c2b97268f7720f44ee76eb76b18d10e57bc038013fa26b3e0f3106','rita@remote.test','rita@remote.test','Rita Remote','A question','This is about: A question. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'9f189cdd6d67fcffda02ee434192613228e0df060bb7b3cde6dc19a69a22250a',0,'2026-11-22 11:43:45.724','2026-11-22 11:43:45.724');
INSERT INTO `messages` VALUES (12,'01m81h3h5fqmxx60mw4a','7344121847a534c2d36501da64fb8ea288b68dbb5ad1a13970a9cc19925dfc99',1009,'Received: by host.test with HTTPS id 01m81h3h5fqmxx60mw4a;\r\n	Sun, 22 Nov 2026 11:43:45 +0000\r\n','<re:-a-question@host.test>','b19521b997c2b97268f7720f44ee76eb76b18d10e57bc038013fa26b3e0f3106','ana@acme.test','ana@acme.test','Ana Kept','Re: A question','Dear reader, Re: A question.','[\"rita@remote.test\"]','[]','2026-11-03 08:00:00.000',NULL,1,NULL,0,'2026-11-22 11:43:45.864','2026-11-22 11:43:45.864');
INSERT INTO `messages` VALUES (13,'01m81h3h8aqrkr84d424','ef0ef2ad306a0b820e34c85257192518a658e05dc7573037c9fec185f6bc8291',309,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3h8aqrkr84d424;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<thanks@remote.test>','b19521b997c2b97268f7720f44ee76eb76b18d10e57bc038013fa26b3e0f3106','rita@remote.test','rita@remote.test','Rita Remote','Re: A question','This is about: Re: A question. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'84478d43f2a561225b0ae20dd27e9da0a868edde776b9c49dc360d4f922e46a8',0,'2026-11-22 11:43:45.941','2026-11-22 11:43:45.941');
INSERT INTO `messages` VALUES (14,'01m81h3h9tdtqddw3dt7','8b4a7405c1dc30786b46aee0fdbc4b3bc87c1c57bd143a680d2c184d8176c704',1004,'Received: by host.test with HTTPS id 01m81h3h9tdtqddw3dt7;\r\n	Sun, 22 Nov 2026 11:43:46 +0000\r\n','<second-thoughts-with-a-file@host.test>','b39598ffceda6f60bfc485404323755a1db4a02fcfaceb8f16c22f50ea7f7aa1','ana@acme.test','ana@acme.test','Ana Kept','Second thoughts with a file','Dear reader, Second thoughts with a file.','[\"rita@remote.test\"]','[]','2026-11-03 08:00:00.000',NULL,1,NULL,0,'2026-11-22 11:43:46.023','2026-11-22 11:43:46.023');
INSERT INTO `messages` VALUES (15,'01m81h3hgj6vwwar6x2m','a4c47a8dea291463f98f143849ab9edc866b553b49f188011beffef5f945bc86',594,'Received: by host.test with HTTPS id 01m81h3hgj6vwwar6x2m;\r\n	Sun, 22 Nov 2026 11:43:46 +0000\r\n','<second-thoughts@host.test>','e140f0ade0b7b98c8c55e0f90ecca4073b77b1344058c71c57e4165ddea62c54','ana@acme.test','ana@acme.test','Ana Kept','Second thoughts','Dear reader, Second thoughts.','[\"rita@remote.test\"]','[]','2026-11-03 08:00:00.000',NULL,0,NULL,0,'2026-11-22 11:43:46.207','2026-11-22 11:43:46.207');
INSERT INTO `messages` VALUES (16,'01m81h3hmb9xgrt7q2q2','805defc1fd212cb7ddbac22ac3669b81c202f254aed8e83b382e66f3da6f7d56',602,'Received: by host.test with HTTPS id 01m81h3hmb9xgrt7q2q2;\r\n	Sun, 22 Nov 2026 11:43:46 +0000\r\n','<held-for-a-moment@host.test>','53d2cb3e89d961a807db7213cfa356421d073f92d1f973b8303cb528d0b4be29','bob@acme.test','bob@acme.test','Bob Kept','Held for a moment','Dear reader, Held for a moment.','[\"rita@remote.test\"]','[]','2026-11-03 08:00:00.000',NULL,0,NULL,0,'2026-11-22 11:43:46.330','2026-11-22 11:43:46.330');
INSERT INTO `messages` VALUES (17,'01m81h3hpvbpw15excf8','6c1a88c73d984d1f61098dc1d50f15ab8a76544defed15e5362fa93a1a616395',618,'Received: by host.test with HTTPS id 01m81h3hpvbpw15excf8;\r\n	Sun, 22 Nov 2026 11:43:46 +0000\r\n','<deleted-by-its-sender@host.test>','dd2fb551c184e57b39f4d96e4699703c72d4bc0b598074194d6069330e136f43','bob@acme.test','bob@acme.test','Bob Kept','Deleted by its sender','Dear reader, Deleted by its sender.','[\"rita@remote.test\"]','[]','2026-11-03 08:00:00.000',NULL,0,NULL,0,'2026-11-22 11:43:46.433','2026-11-22 11:43:46.433');
INSERT INTO `messages` VALUES (18,'01m81h3j0b40e0a30gka','bdcfe79ff387faa9f63fc7b8f194f1c7bbd25577457e284a8a2e875126e91b25',283,'Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id 01m81h3j0b40e0a30gka;\r\n	Mon, 02 Nov 2026 10:00:01 +0000\r\n','<away@remote.test>','3bd57d0455b92a9f88c00be9379c4af41f56c497b3b0a0f0c25eeef5cac5a0a9','rita@remote.test','rita@remote.test','Rita Remote','While Redis was away','This is about: While Redis was away. -- Rita','[\"Ana Kept <ana@acme.test>\"]','[]','2026-11-02 10:00:00.000','{\"spf\":{\"result\":\"pass\",\"domain\":\"remote.test\"},\"dkim\":[{\"result\":\"pass\",\"domain\":\"remote.test\",\"selector\":\"default\"}],\"dmarc\":{\"result\":\"pass\",\"policy\":\"reject\",\"domain\":\"remote.test\"},\"arc\":null,\"header\":\"Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\\r\\n\",\"temporaryFailure\":false}',0,'4d0aa87d62fbfcfc4a8d586bb26b1a100b0a9d5f52395d71ffc5a4c323897273',0,'2026-11-22 11:43:46.736','2026-11-22 11:43:46.736');
CREATE TABLE `modules` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `name` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `is_built_in` tinyint(1) NOT NULL DEFAULT 0,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `modules_name` (`name`)
) ENGINE=InnoDB AUTO_INCREMENT=19 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `modules` VALUES (1,'home',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (2,'clients',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (3,'client',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (4,'company',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (5,'domain',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (6,'role',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (7,'user',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (8,'module',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (9,'permission',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (10,'inbox',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (11,'starred',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (12,'sent',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (13,'archive',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (14,'draft',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (15,'trash',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (16,'backup',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (17,'accountsettings',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
INSERT INTO `modules` VALUES (18,'profile',1,'2026-11-22 11:43:41.697','2026-11-22 11:43:41.697');
CREATE TABLE `one_time_links` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `purpose` enum('set_password','confirm_recovery') NOT NULL,
  `token_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `address` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  `used_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `one_time_links_token` (`token_hash`),
  KEY `one_time_links_user` (`user_id`,`purpose`),
  KEY `one_time_links_company` (`company_id`),
  CONSTRAINT `one_time_links_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `one_time_links` VALUES (1,2,2,'set_password','c871478268fb72ad2773a5541db5b7d70fd1bea585ded82a6e2bac09e510d7aa','ana@elsewhere.test','2026-11-22 12:43:43.389',NULL,'2026-11-22 11:43:43.433');
INSERT INTO `one_time_links` VALUES (2,2,3,'set_password','0aa89a9688960492a462466e6aae70c89bd3db9228f98c9d2da46e417b8e178c','bob@elsewhere.test','2026-11-22 12:43:43.436',NULL,'2026-11-22 11:43:43.857');
INSERT INTO `one_time_links` VALUES (3,3,5,'set_password','c7d2f8fd841eb06ed19ad7307533139332431e412895152405b5b29fd13f8700','dóra@elsewhere.test','2026-11-22 12:43:43.859',NULL,'2026-11-22 11:43:43.886');
CREATE TABLE `outbound_turns` (
  `id` tinyint(3) unsigned NOT NULL,
  `taken_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `outbound_turns` VALUES (1,'2026-11-22 11:43:46.452');
CREATE TABLE `outbox` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `job_name` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `payload` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL CHECK (json_valid(`payload`)),
  `dedupe_id` varchar(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `cause_id` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `available_at` datetime(3) NOT NULL,
  `relayed_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  KEY `outbox_due` (`relayed_at`,`available_at`)
) ENGINE=InnoDB AUTO_INCREMENT=19 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `outbox` VALUES (1,'domain.generate-dkim','{\"domainId\":\"1\",\"selector\":\"default\"}','dkim-1-default','db2df9d7-5d62-423a-9168-877d4db6c983','2026-11-22 11:43:42.038','2026-11-22 11:43:42.361','2026-11-22 11:43:42.038');
INSERT INTO `outbox` VALUES (2,'mail.notify','{\"entryIds\":[\"1\"]}','notify-1','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.084','2026-11-22 11:43:44.350','2026-11-22 11:43:44.084');
INSERT INTO `outbox` VALUES (3,'mail.notify','{\"entryIds\":[\"2\"]}','notify-2','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.160','2026-11-22 11:43:44.350','2026-11-22 11:43:44.160');
INSERT INTO `outbox` VALUES (4,'mail.notify','{\"entryIds\":[\"3\",\"4\"]}','notify-3','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.382','2026-11-22 11:43:44.621','2026-11-22 11:43:44.382');
INSERT INTO `outbox` VALUES (5,'mail.notify','{\"entryIds\":[\"5\"]}','notify-5','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.417','2026-11-22 11:43:44.621','2026-11-22 11:43:44.417');
INSERT INTO `outbox` VALUES (6,'mail.notify','{\"entryIds\":[\"6\",\"7\"]}','notify-6','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.520','2026-11-22 11:43:44.843','2026-11-22 11:43:44.520');
INSERT INTO `outbox` VALUES (7,'mail.notify','{\"entryIds\":[\"8\"]}','notify-8','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.543','2026-11-22 11:43:44.843','2026-11-22 11:43:44.543');
INSERT INTO `outbox` VALUES (8,'mail.remove-message','{\"messageId\":\"6\"}','remove-6','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.710','2026-11-22 11:43:44.843','2026-11-22 11:43:44.710');
INSERT INTO `outbox` VALUES (9,'mail.notify','{\"entryIds\":[\"9\"]}','notify-9','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.847','2026-11-22 11:43:45.260','2026-11-22 11:43:44.847');
INSERT INTO `outbox` VALUES (10,'mail.notify','{\"entryIds\":[\"10\"]}','notify-10','d81f10d8-5349-4a5b-aa53-21b7b2e249ec','2026-11-22 11:43:44.857','2026-11-22 11:43:45.492','2026-11-22 11:43:44.857');
INSERT INTO `outbox` VALUES (11,'mail.notify','{\"entryIds\":[\"12\"]}','notify-12','e0da0bba-41b1-43bd-82b2-0ed62f8ebc5d','2026-11-22 11:43:45.499','2026-11-22 11:43:45.836','2026-11-22 11:43:45.499');
INSERT INTO `outbox` VALUES (12,'mail.notify','{\"entryIds\":[\"13\"]}','notify-13','e0da0bba-41b1-43bd-82b2-0ed62f8ebc5d','2026-11-22 11:43:45.688','2026-11-22 11:43:45.836','2026-11-22 11:43:45.688');
INSERT INTO `outbox` VALUES (13,'mail.notify','{\"entryIds\":[\"14\"]}','notify-14','e0da0bba-41b1-43bd-82b2-0ed62f8ebc5d','2026-11-22 11:43:45.729','2026-11-22 11:43:46.041','2026-11-22 11:43:45.729');
INSERT INTO `outbox` VALUES (14,'mail.notify','{\"entryIds\":[\"16\"]}','notify-16','e0da0bba-41b1-43bd-82b2-0ed62f8ebc5d','2026-11-22 11:43:45.942','2026-11-22 11:43:46.041','2026-11-22 11:43:45.942');
INSERT INTO `outbox` VALUES (15,'mail.remove-message','{\"messageId\":\"14\"}','remove-14','e0da0bba-41b1-43bd-82b2-0ed62f8ebc5d','2026-11-22 11:43:46.177','2026-11-22 11:43:46.389','2026-11-22 11:43:46.177');
INSERT INTO `outbox` VALUES (16,'mail.remove-message','{\"messageId\":\"15\"}','remove-15','e0da0bba-41b1-43bd-82b2-0ed62f8ebc5d','2026-11-22 11:43:46.285','2026-11-22 11:43:46.389','2026-11-22 11:43:46.285');
INSERT INTO `outbox` VALUES (17,'mail.remove-message','{\"messageId\":\"17\"}','remove-17','e0da0bba-41b1-43bd-82b2-0ed62f8ebc5d','2026-11-22 11:43:46.485','2026-11-22 11:43:46.696','2026-11-22 11:43:46.485');
INSERT INTO `outbox` VALUES (18,'mail.notify','{\"entryIds\":[\"21\"]}','notify-21','a32d8bba-6675-4268-a8a4-3aa164574ff9','2026-11-22 11:43:46.741',NULL,'2026-11-22 11:43:46.741');
CREATE TABLE `passkeys` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `passkey_name` varchar(100) NOT NULL,
  `credential_id` varchar(1400) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `public_key` text CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `counter` int(10) unsigned NOT NULL DEFAULT 0,
  `transports` longtext CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL CHECK (json_valid(`transports`)),
  `last_used_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `passkeys_credential` (`credential_id`),
  KEY `passkeys_user` (`user_id`),
  KEY `passkeys_company` (`company_id`),
  CONSTRAINT `passkeys_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `passkeys` VALUES (1,2,2,'Key ring','a2VwdC1jcmVkZW50aWFs','pQECAyYgASFYIGtlcHQ',0,'[\"usb\",\"nfc\"]',NULL,'2026-11-22 11:43:43.215','2026-11-22 11:43:43.215');
CREATE TABLE `recovery_codes` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `code_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `used_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `recovery_codes_hash` (`user_id`,`code_hash`),
  KEY `recovery_codes_company` (`company_id`),
  CONSTRAINT `recovery_codes_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=4 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `recovery_codes` VALUES (1,2,2,'f4d5e99494bf11cbac7f9b8b443c8e05a7e9212a76b76de191c191e5dd26bd8c','2026-11-22 11:43:43.357','2026-11-22 11:43:43.357');
INSERT INTO `recovery_codes` VALUES (2,2,2,'987e4874248c49f7cd3c6cef3a040fbff60d03e12e9b6f538c1b798bb99b8267',NULL,'2026-11-22 11:43:43.361');
INSERT INTO `recovery_codes` VALUES (3,2,2,'3b71ab645fbcaae4ce3775fd0733826abac6864f37fd815330d2668ff371a82c',NULL,'2026-11-22 11:43:43.365');
CREATE TABLE `role_permissions` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `role_id` bigint(20) unsigned NOT NULL,
  `model` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `can_view` tinyint(1) NOT NULL DEFAULT 0,
  `can_create` tinyint(1) NOT NULL DEFAULT 0,
  `can_edit` tinyint(1) NOT NULL DEFAULT 0,
  `can_delete` tinyint(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `role_permissions_model` (`role_id`,`model`),
  KEY `role_permissions_company` (`company_id`),
  CONSTRAINT `role_permissions_ibfk_1` FOREIGN KEY (`role_id`) REFERENCES `roles` (`id`) ON DELETE CASCADE,
  CONSTRAINT `role_permissions_ibfk_2` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=163 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `role_permissions` VALUES (1,1,1,'home',1,1,1,1);
INSERT INTO `role_permissions` VALUES (2,1,1,'clients',1,1,1,1);
INSERT INTO `role_permissions` VALUES (3,1,1,'client',1,1,1,1);
INSERT INTO `role_permissions` VALUES (4,1,1,'company',1,1,1,1);
INSERT INTO `role_permissions` VALUES (5,1,1,'domain',1,1,1,1);
INSERT INTO `role_permissions` VALUES (6,1,1,'role',1,1,1,1);
INSERT INTO `role_permissions` VALUES (7,1,1,'user',1,1,1,1);
INSERT INTO `role_permissions` VALUES (8,1,1,'module',1,1,1,1);
INSERT INTO `role_permissions` VALUES (9,1,1,'permission',1,1,1,1);
INSERT INTO `role_permissions` VALUES (10,1,1,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (11,1,1,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (12,1,1,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (13,1,1,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (14,1,1,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (15,1,1,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (16,1,1,'backup',1,1,1,1);
INSERT INTO `role_permissions` VALUES (17,1,1,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (18,1,1,'profile',1,1,1,1);
INSERT INTO `role_permissions` VALUES (19,1,2,'home',1,1,1,0);
INSERT INTO `role_permissions` VALUES (20,1,2,'clients',0,0,0,0);
INSERT INTO `role_permissions` VALUES (21,1,2,'client',0,0,0,0);
INSERT INTO `role_permissions` VALUES (22,1,2,'company',1,0,1,0);
INSERT INTO `role_permissions` VALUES (23,1,2,'domain',1,1,1,1);
INSERT INTO `role_permissions` VALUES (24,1,2,'role',1,1,1,1);
INSERT INTO `role_permissions` VALUES (25,1,2,'user',1,1,1,1);
INSERT INTO `role_permissions` VALUES (26,1,2,'module',0,0,0,0);
INSERT INTO `role_permissions` VALUES (27,1,2,'permission',1,1,1,1);
INSERT INTO `role_permissions` VALUES (28,1,2,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (29,1,2,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (30,1,2,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (31,1,2,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (32,1,2,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (33,1,2,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (34,1,2,'backup',1,1,1,1);
INSERT INTO `role_permissions` VALUES (35,1,2,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (36,1,2,'profile',1,1,1,1);
INSERT INTO `role_permissions` VALUES (37,1,3,'home',1,1,1,0);
INSERT INTO `role_permissions` VALUES (38,1,3,'clients',0,0,0,0);
INSERT INTO `role_permissions` VALUES (39,1,3,'client',0,0,0,0);
INSERT INTO `role_permissions` VALUES (40,1,3,'company',0,0,0,0);
INSERT INTO `role_permissions` VALUES (41,1,3,'domain',0,0,0,0);
INSERT INTO `role_permissions` VALUES (42,1,3,'role',0,0,0,0);
INSERT INTO `role_permissions` VALUES (43,1,3,'user',0,0,0,0);
INSERT INTO `role_permissions` VALUES (44,1,3,'module',0,0,0,0);
INSERT INTO `role_permissions` VALUES (45,1,3,'permission',0,0,0,0);
INSERT INTO `role_permissions` VALUES (46,1,3,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (47,1,3,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (48,1,3,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (49,1,3,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (50,1,3,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (51,1,3,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (52,1,3,'backup',0,0,0,0);
INSERT INTO `role_permissions` VALUES (53,1,3,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (54,1,3,'profile',1,1,1,1);
INSERT INTO `role_permissions` VALUES (55,2,4,'home',1,1,1,1);
INSERT INTO `role_permissions` VALUES (56,2,4,'clients',1,1,1,1);
INSERT INTO `role_permissions` VALUES (57,2,4,'client',1,1,1,1);
INSERT INTO `role_permissions` VALUES (58,2,4,'company',1,1,1,1);
INSERT INTO `role_permissions` VALUES (59,2,4,'domain',1,1,1,1);
INSERT INTO `role_permissions` VALUES (60,2,4,'role',1,1,1,1);
INSERT INTO `role_permissions` VALUES (61,2,4,'user',1,1,1,1);
INSERT INTO `role_permissions` VALUES (62,2,4,'module',1,1,1,1);
INSERT INTO `role_permissions` VALUES (63,2,4,'permission',1,1,1,1);
INSERT INTO `role_permissions` VALUES (64,2,4,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (65,2,4,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (66,2,4,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (67,2,4,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (68,2,4,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (69,2,4,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (70,2,4,'backup',1,1,1,1);
INSERT INTO `role_permissions` VALUES (71,2,4,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (72,2,4,'profile',1,1,1,1);
INSERT INTO `role_permissions` VALUES (73,2,5,'home',1,0,0,0);
INSERT INTO `role_permissions` VALUES (74,2,5,'clients',0,0,0,0);
INSERT INTO `role_permissions` VALUES (75,2,5,'client',0,0,0,0);
INSERT INTO `role_permissions` VALUES (76,2,5,'company',1,0,1,0);
INSERT INTO `role_permissions` VALUES (77,2,5,'domain',1,1,1,1);
INSERT INTO `role_permissions` VALUES (78,2,5,'role',1,1,1,1);
INSERT INTO `role_permissions` VALUES (79,2,5,'user',1,1,1,1);
INSERT INTO `role_permissions` VALUES (80,2,5,'module',0,0,0,0);
INSERT INTO `role_permissions` VALUES (81,2,5,'permission',1,1,1,1);
INSERT INTO `role_permissions` VALUES (82,2,5,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (83,2,5,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (84,2,5,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (85,2,5,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (86,2,5,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (87,2,5,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (88,2,5,'backup',1,1,1,1);
INSERT INTO `role_permissions` VALUES (89,2,5,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (90,2,5,'profile',1,1,1,1);
INSERT INTO `role_permissions` VALUES (91,2,6,'home',1,0,0,0);
INSERT INTO `role_permissions` VALUES (92,2,6,'clients',0,0,0,0);
INSERT INTO `role_permissions` VALUES (93,2,6,'client',0,0,0,0);
INSERT INTO `role_permissions` VALUES (94,2,6,'company',0,0,0,0);
INSERT INTO `role_permissions` VALUES (95,2,6,'domain',0,0,0,0);
INSERT INTO `role_permissions` VALUES (96,2,6,'role',0,0,0,0);
INSERT INTO `role_permissions` VALUES (97,2,6,'user',0,0,0,0);
INSERT INTO `role_permissions` VALUES (98,2,6,'module',0,0,0,0);
INSERT INTO `role_permissions` VALUES (99,2,6,'permission',0,0,0,0);
INSERT INTO `role_permissions` VALUES (100,2,6,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (101,2,6,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (102,2,6,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (103,2,6,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (104,2,6,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (105,2,6,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (106,2,6,'backup',0,0,0,0);
INSERT INTO `role_permissions` VALUES (107,2,6,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (108,2,6,'profile',1,1,1,1);
INSERT INTO `role_permissions` VALUES (109,3,7,'home',1,1,1,1);
INSERT INTO `role_permissions` VALUES (110,3,7,'clients',1,1,1,1);
INSERT INTO `role_permissions` VALUES (111,3,7,'client',1,1,1,1);
INSERT INTO `role_permissions` VALUES (112,3,7,'company',1,1,1,1);
INSERT INTO `role_permissions` VALUES (113,3,7,'domain',1,1,1,1);
INSERT INTO `role_permissions` VALUES (114,3,7,'role',1,1,1,1);
INSERT INTO `role_permissions` VALUES (115,3,7,'user',1,1,1,1);
INSERT INTO `role_permissions` VALUES (116,3,7,'module',1,1,1,1);
INSERT INTO `role_permissions` VALUES (117,3,7,'permission',1,1,1,1);
INSERT INTO `role_permissions` VALUES (118,3,7,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (119,3,7,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (120,3,7,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (121,3,7,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (122,3,7,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (123,3,7,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (124,3,7,'backup',1,1,1,1);
INSERT INTO `role_permissions` VALUES (125,3,7,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (126,3,7,'profile',1,1,1,1);
INSERT INTO `role_permissions` VALUES (127,3,8,'home',1,0,0,0);
INSERT INTO `role_permissions` VALUES (128,3,8,'clients',0,0,0,0);
INSERT INTO `role_permissions` VALUES (129,3,8,'client',0,0,0,0);
INSERT INTO `role_permissions` VALUES (130,3,8,'company',1,0,1,0);
INSERT INTO `role_permissions` VALUES (131,3,8,'domain',1,1,1,1);
INSERT INTO `role_permissions` VALUES (132,3,8,'role',1,1,1,1);
INSERT INTO `role_permissions` VALUES (133,3,8,'user',1,1,1,1);
INSERT INTO `role_permissions` VALUES (134,3,8,'module',0,0,0,0);
INSERT INTO `role_permissions` VALUES (135,3,8,'permission',1,1,1,1);
INSERT INTO `role_permissions` VALUES (136,3,8,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (137,3,8,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (138,3,8,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (139,3,8,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (140,3,8,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (141,3,8,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (142,3,8,'backup',1,1,1,1);
INSERT INTO `role_permissions` VALUES (143,3,8,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (144,3,8,'profile',1,1,1,1);
INSERT INTO `role_permissions` VALUES (145,3,9,'home',1,0,0,0);
INSERT INTO `role_permissions` VALUES (146,3,9,'clients',0,0,0,0);
INSERT INTO `role_permissions` VALUES (147,3,9,'client',0,0,0,0);
INSERT INTO `role_permissions` VALUES (148,3,9,'company',0,0,0,0);
INSERT INTO `role_permissions` VALUES (149,3,9,'domain',0,0,0,0);
INSERT INTO `role_permissions` VALUES (150,3,9,'role',0,0,0,0);
INSERT INTO `role_permissions` VALUES (151,3,9,'user',0,0,0,0);
INSERT INTO `role_permissions` VALUES (152,3,9,'module',0,0,0,0);
INSERT INTO `role_permissions` VALUES (153,3,9,'permission',0,0,0,0);
INSERT INTO `role_permissions` VALUES (154,3,9,'inbox',1,1,1,1);
INSERT INTO `role_permissions` VALUES (155,3,9,'starred',1,1,1,1);
INSERT INTO `role_permissions` VALUES (156,3,9,'sent',1,1,1,1);
INSERT INTO `role_permissions` VALUES (157,3,9,'archive',1,1,1,1);
INSERT INTO `role_permissions` VALUES (158,3,9,'draft',1,1,1,1);
INSERT INTO `role_permissions` VALUES (159,3,9,'trash',1,1,1,1);
INSERT INTO `role_permissions` VALUES (160,3,9,'backup',0,0,0,0);
INSERT INTO `role_permissions` VALUES (161,3,9,'accountsettings',1,1,1,1);
INSERT INTO `role_permissions` VALUES (162,3,9,'profile',1,1,1,1);
CREATE TABLE `roles` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `role_id` int(10) unsigned NOT NULL,
  `role_name` varchar(100) NOT NULL,
  `active_status` tinyint(1) NOT NULL DEFAULT 1,
  `deleted_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `roles_number` (`company_id`,`role_id`),
  CONSTRAINT `roles_ibfk_1` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=10 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `roles` VALUES (1,1,0,'Super Admin',1,NULL,'2026-11-22 11:43:41.970','2026-11-22 11:43:41.970');
INSERT INTO `roles` VALUES (2,1,1,'Admin',1,NULL,'2026-11-22 11:43:42.001','2026-11-22 11:43:42.001');
INSERT INTO `roles` VALUES (3,1,2,'User',1,NULL,'2026-11-22 11:43:42.009','2026-11-22 11:43:42.009');
INSERT INTO `roles` VALUES (4,2,0,'Super Admin',1,NULL,'2026-11-22 11:43:42.601','2026-11-22 11:43:42.601');
INSERT INTO `roles` VALUES (5,2,1,'Admin',1,NULL,'2026-11-22 11:43:42.671','2026-11-22 11:43:42.671');
INSERT INTO `roles` VALUES (6,2,2,'User',1,NULL,'2026-11-22 11:43:42.675','2026-11-22 11:43:42.675');
INSERT INTO `roles` VALUES (7,3,0,'Super Admin',1,NULL,'2026-11-22 11:43:42.808','2026-11-22 11:43:42.808');
INSERT INTO `roles` VALUES (8,3,1,'Admin',1,NULL,'2026-11-22 11:43:42.811','2026-11-22 11:43:42.811');
INSERT INTO `roles` VALUES (9,3,2,'User',1,NULL,'2026-11-22 11:43:42.812','2026-11-22 11:43:42.812');
CREATE TABLE `schema_migrations` (
  `name` varchar(255) NOT NULL,
  PRIMARY KEY (`name`),
  UNIQUE KEY `name` (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb3 COLLATE=utf8mb3_unicode_ci;
INSERT INTO `schema_migrations` VALUES ('20261121-1200-first-tables.ts');
INSERT INTO `schema_migrations` VALUES ('20261121-1900-identity.ts');
INSERT INTO `schema_migrations` VALUES ('20261121-2300-web-kit.ts');
INSERT INTO `schema_migrations` VALUES ('20261122-0300-outgoing-groups.ts');
INSERT INTO `schema_migrations` VALUES ('20261122-1100-sweep-steps.ts');
INSERT INTO `schema_migrations` VALUES ('20261122-1200-ledger-answers.ts');
CREATE TABLE `schema_progress` (
  `name` varchar(255) NOT NULL,
  `done` int(10) unsigned NOT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `schema_progress` VALUES ('20261121-1200-first-tables.ts',19);
INSERT INTO `schema_progress` VALUES ('20261121-1900-identity.ts',7);
INSERT INTO `schema_progress` VALUES ('20261121-2300-web-kit.ts',4);
INSERT INTO `schema_progress` VALUES ('20261122-0300-outgoing-groups.ts',3);
INSERT INTO `schema_progress` VALUES ('20261122-1100-sweep-steps.ts',2);
INSERT INTO `schema_progress` VALUES ('20261122-1200-ledger-answers.ts',2);
CREATE TABLE `sessions` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `session_key` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `refresh_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `previous_refresh_hash` varchar(64) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `rotated_at` datetime(3) DEFAULT NULL,
  `device_ip` varchar(45) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `user_agent` varchar(255) NOT NULL,
  `token_version` int(10) unsigned NOT NULL,
  `last_active` datetime(3) NOT NULL,
  `expires_at` datetime(3) NOT NULL,
  `ended_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `sessions_key` (`session_key`),
  UNIQUE KEY `sessions_refresh` (`refresh_hash`),
  KEY `sessions_previous` (`previous_refresh_hash`),
  KEY `sessions_user` (`user_id`,`ended_at`),
  KEY `sessions_company` (`company_id`),
  CONSTRAINT `sessions_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=7 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `sessions` VALUES (1,2,2,'open-2','2c14b450ff9a540022dca18db277910a705226d276f0c8fed03f02db3d9f9ce7',NULL,NULL,'192.0.2.7','Mozilla/5.0 (X11; Linux x86_64)',0,'2026-11-22 11:43:43.389','2026-12-22 11:43:43.389',NULL,'2026-11-22 11:43:43.389','2026-11-22 11:43:43.389');
INSERT INTO `sessions` VALUES (2,2,2,'ended-2','f9c7320956887516356b302d13b534fd6ca96617d4e4a7be996b39688bd9c87a',NULL,NULL,'192.0.2.7','Mozilla/5.0 (X11; Linux x86_64)',0,'2026-11-22 11:43:43.389','2026-12-22 11:43:43.389','2026-11-22 11:43:43.389','2026-11-22 11:43:43.406','2026-11-22 11:43:43.406');
INSERT INTO `sessions` VALUES (3,2,3,'open-3','91f66c2997dc13c7c37950fda5854d876be31b7318cc7c49f412a2ee75e7704c',NULL,NULL,'192.0.2.7','Mozilla/5.0 (X11; Linux x86_64)',0,'2026-11-22 11:43:43.436','2026-12-22 11:43:43.436',NULL,'2026-11-22 11:43:43.437','2026-11-22 11:43:43.437');
INSERT INTO `sessions` VALUES (4,2,3,'ended-3','75fc3cf1ec0ca6e54176bddb0f3f4ad77037fbb35a745bbac57594cd9444f81c',NULL,NULL,'192.0.2.7','Mozilla/5.0 (X11; Linux x86_64)',0,'2026-11-22 11:43:43.436','2026-12-22 11:43:43.436','2026-11-22 11:43:43.436','2026-11-22 11:43:43.844','2026-11-22 11:43:43.844');
INSERT INTO `sessions` VALUES (5,3,5,'open-5','b144e7f7d580378ba73c9fe1ffae511a14ad5e6b7375addd1f3620725246240c',NULL,NULL,'192.0.2.7','Mozilla/5.0 (X11; Linux x86_64)',0,'2026-11-22 11:43:43.859','2026-12-22 11:43:43.859',NULL,'2026-11-22 11:43:43.859','2026-11-22 11:43:43.859');
INSERT INTO `sessions` VALUES (6,3,5,'ended-5','041e49e317ad633dc2c56e083a8087fe452d44597990de94eceeb30b57fb7fb6',NULL,NULL,'192.0.2.7','Mozilla/5.0 (X11; Linux x86_64)',0,'2026-11-22 11:43:43.859','2026-12-22 11:43:43.859','2026-11-22 11:43:43.859','2026-11-22 11:43:43.869','2026-11-22 11:43:43.869');
CREATE TABLE `signatures` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `signature_name` varchar(100) NOT NULL,
  `name_key` varchar(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `signature_body` mediumtext NOT NULL,
  `version` int(10) unsigned NOT NULL DEFAULT 1,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `signatures_name` (`user_id`,`name_key`),
  KEY `signatures_company` (`company_id`),
  CONSTRAINT `signatures_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB AUTO_INCREMENT=2 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `signatures` VALUES (1,2,2,'Formal','formal','<p>Kind regards,<br><b>Ana</b></p>',1,'2026-11-22 11:43:43.370','2026-11-22 11:43:43.370');
CREATE TABLE `sweep_steps` (
  `name` varchar(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `position` varchar(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
  `due_at` datetime(3) NOT NULL,
  `lease_until` datetime(3) DEFAULT NULL,
  `claim_id` varchar(24) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  PRIMARY KEY (`name`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `sweep_steps` VALUES ('blobs','','2026-11-22 11:43:41.195',NULL,NULL);
INSERT INTO `sweep_steps` VALUES ('contents','','2026-11-22 11:43:41.195',NULL,NULL);
INSERT INTO `sweep_steps` VALUES ('messages','','2026-11-22 11:43:41.195',NULL,NULL);
INSERT INTO `sweep_steps` VALUES ('retention','','2026-11-22 11:43:41.195',NULL,NULL);
CREATE TABLE `user_permissions` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `user_id` bigint(20) unsigned NOT NULL,
  `model` varchar(64) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `can_view` tinyint(1) NOT NULL DEFAULT 0,
  `can_create` tinyint(1) NOT NULL DEFAULT 0,
  `can_edit` tinyint(1) NOT NULL DEFAULT 0,
  `can_delete` tinyint(1) NOT NULL DEFAULT 0,
  PRIMARY KEY (`id`),
  UNIQUE KEY `user_permissions_model` (`user_id`,`model`),
  KEY `user_permissions_company` (`company_id`),
  CONSTRAINT `user_permissions_ibfk_1` FOREIGN KEY (`user_id`) REFERENCES `users` (`id`) ON DELETE CASCADE,
  CONSTRAINT `user_permissions_ibfk_2` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`)
) ENGINE=InnoDB AUTO_INCREMENT=3 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `user_permissions` VALUES (1,2,3,'sent',1,1,1,0);
INSERT INTO `user_permissions` VALUES (2,2,3,'archive',1,1,1,0);
CREATE TABLE `users` (
  `id` bigint(20) unsigned NOT NULL AUTO_INCREMENT,
  `company_id` bigint(20) unsigned NOT NULL,
  `role_id` bigint(20) unsigned NOT NULL,
  `domain_id` bigint(20) unsigned DEFAULT NULL,
  `email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL,
  `password_hash` varchar(255) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
  `fname` varchar(100) NOT NULL,
  `lname` varchar(100) NOT NULL DEFAULT '',
  `phone_number` varchar(20) DEFAULT NULL,
  `country` varchar(100) DEFAULT NULL,
  `designation` varchar(100) DEFAULT NULL,
  `bio` varchar(1000) DEFAULT NULL,
  `avatar` varchar(128) CHARACTER SET ascii COLLATE ascii_bin DEFAULT NULL,
  `recovery_email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `confirmed_recovery_email` varchar(254) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin DEFAULT NULL,
  `active_status` tinyint(1) NOT NULL DEFAULT 1,
  `login_allowed` tinyint(1) NOT NULL DEFAULT 1,
  `required_data` tinyint(1) NOT NULL DEFAULT 0,
  `password_change_required` tinyint(1) NOT NULL DEFAULT 0,
  `two_factor_secret` varchar(255) DEFAULT NULL,
  `two_factor_last_step` int(10) unsigned NOT NULL DEFAULT 0,
  `two_factor_status` tinyint(1) NOT NULL DEFAULT 0,
  `token_version` int(10) unsigned NOT NULL DEFAULT 0,
  `version` int(10) unsigned NOT NULL DEFAULT 1,
  `signature_new_id` bigint(20) unsigned DEFAULT NULL,
  `signature_reply_id` bigint(20) unsigned DEFAULT NULL,
  `deleted_at` datetime(3) DEFAULT NULL,
  `created_at` datetime(3) NOT NULL,
  `updated_at` datetime(3) NOT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `users_email` (`email`),
  KEY `users_company` (`company_id`,`deleted_at`),
  KEY `users_role` (`role_id`),
  KEY `users_domain` (`domain_id`),
  KEY `users_avatar` (`avatar`),
  KEY `users_signature_new` (`signature_new_id`),
  KEY `users_signature_reply` (`signature_reply_id`),
  CONSTRAINT `users_ibfk_1` FOREIGN KEY (`company_id`) REFERENCES `companies` (`id`),
  CONSTRAINT `users_ibfk_2` FOREIGN KEY (`role_id`) REFERENCES `roles` (`id`),
  CONSTRAINT `users_ibfk_3` FOREIGN KEY (`domain_id`) REFERENCES `domains` (`id`),
  CONSTRAINT `users_signature_new` FOREIGN KEY (`signature_new_id`) REFERENCES `signatures` (`id`) ON DELETE SET NULL,
  CONSTRAINT `users_signature_reply` FOREIGN KEY (`signature_reply_id`) REFERENCES `signatures` (`id`) ON DELETE SET NULL
) ENGINE=InnoDB AUTO_INCREMENT=6 DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_unicode_ci;
INSERT INTO `users` VALUES (1,1,1,1,'admin@host.test','$argon2id$v=19$m=19456,t=2,p=1$mccp0scgWLAVQMIEgZYLKA$hzs5VHS76uWrbdS7fejfWDWz+iIz1ZvwQgCX122JDC4','Super','Admin',NULL,NULL,NULL,NULL,NULL,NULL,NULL,1,1,0,0,NULL,0,0,0,1,NULL,NULL,NULL,'2026-11-22 11:43:42.024','2026-11-22 11:43:42.024');
INSERT INTO `users` VALUES (2,2,5,2,'ana@acme.test','$argon2id$v=19$m=19456,t=2,p=1$z2WsIkazjT5/vKvm1+uMQg$IMgrMAmlDt4bifKqfj3QXuFvARJVllUvGJNWYa7GseY','Ana','Kept',NULL,NULL,'Clerk','Ships things.\nAnswers mail.',NULL,NULL,NULL,1,1,0,0,'v1.YUTkfypC950X_48Nz6KUkNoKG5CcHVRsYmFo56G7M3ZYVs4v7n_JOQJ9gK9bSx37Jh3TIptmaSislJNq',58000000,1,0,1,1,NULL,NULL,'2026-11-22 11:43:42.919','2026-11-22 11:43:43.381');
INSERT INTO `users` VALUES (3,2,6,2,'bob@acme.test','$argon2id$v=19$m=19456,t=2,p=1$QHCXJBVQCm/J7GGJiC74TQ$7fW/soRDzfTJqi3l6ZyQHqnQRobAnKxXvdqs6Q3PQZs','Bob','Kept',NULL,NULL,'Clerk','Ships things.\nAnswers mail.',NULL,NULL,NULL,1,1,0,0,NULL,0,0,0,1,NULL,NULL,NULL,'2026-11-22 11:43:43.013','2026-11-22 11:43:43.013');
INSERT INTO `users` VALUES (4,2,6,2,'carl@acme.test','$argon2id$v=19$m=19456,t=2,p=1$QSjUyshSon1FMQ5rcE7HOg$bJ1WDWRi7AJSj8pvXxeYFeDEbpAh6CElQ0iZatk+vgk','Carl','Kept',NULL,NULL,'Clerk','Ships things.\nAnswers mail.',NULL,NULL,NULL,0,1,0,0,NULL,0,0,0,1,NULL,NULL,'2026-11-22 11:43:44.874','2026-11-22 11:43:43.129','2026-11-22 11:43:44.874');
INSERT INTO `users` VALUES (5,3,8,3,'dora@birch.test','$argon2id$v=19$m=19456,t=2,p=1$Mk9kUABzTN8FDBuYJDCPPA$vAAjWZChpI0kaLCx1Fg3BjMmwklvr32UDnz4WFVuydc','Dóra','Kept',NULL,NULL,'Clerk','Ships things.\nAnswers mail.','/upload/avatars/86be52bdb7547413cafb3ed175a806a798c65de98b40849e0b974c47d187de65.webp',NULL,NULL,1,1,0,0,NULL,0,0,0,1,NULL,NULL,NULL,'2026-11-22 11:43:43.206','2026-11-22 11:43:43.949');
